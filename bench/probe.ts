// Loaded into every measured server: reports its use of CPU and memory to the process that started it,
// by the same account for every program.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

process.on('message', (question) => {
  if (question === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  } else if (question === 'memory') {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    // The second collection frees what the first one left to finalizers.
    collect()
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ resident: rss, live: heapUsed })
  }
})
process.on('disconnect', () => process.exit())
// The channel must not keep the program running.
process.channel?.unref()
