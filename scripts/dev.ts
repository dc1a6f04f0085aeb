import { startLoop } from './dev/loop.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('usage: npm run dev, without arguments')
  const loop = startLoop((text) => console.log(text))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void loop.stop())
  }
  try {
    await loop.ended
  } finally {
    await loop.stop()
  }
})

// The compiler's client leaves a timer behind when it is closed in the middle of an answer.
process.exit()
