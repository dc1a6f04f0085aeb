// Loaded in front of a program that is measured: answers the runner, which started it, what it has
// used so far. That is the process's own account, the same for every program.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

process.on('message', (question) => {
  if (question === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send?.({ microseconds: user + system })
  } else if (question === 'memory') {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    // What the first leaves to be finalized, the second collects.
    collect()
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ resident: rss, live: heapUsed })
  }
})
// A runner that is gone stops nothing any more.
process.on('disconnect', () => process.exit())
// It must not keep a program alive.
process.channel?.unref()
