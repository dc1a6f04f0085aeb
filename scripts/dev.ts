import { DevLoop } from './dev/loop.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'

const usage = 'usage: npm run dev, without arguments'

await runCommand(usage, async () => {
  if (process.argv.length > 2) throw new UsageError(usage)
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
