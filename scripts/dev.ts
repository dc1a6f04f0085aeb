import { DevLoop } from './dev/loop.ts'
import { runPlainCommand } from './pipeline/failure.ts'

await runPlainCommand('npm run dev', async () => {
  const loop = new DevLoop((text) => console.log(text))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void loop.stop())
  }
  try {
    await loop.run()
  } finally {
    await loop.stop()
  }
})

// A run that was interrupted may still have work to do.
process.exit()
