import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { heldTo } from './cores.ts'
import { end, start } from './processes.ts'

/** What is asked of a server, by clients that each wait for their answer before they ask again. */
export interface Order {
  readonly port: number
  readonly key: string
  /** What is sent, by its name in `requests.ts`. */
  readonly request: string
  readonly clients: number
  /** For how long, or how many. */
  readonly seconds?: number
  readonly count?: number
}

/** What came of it. */
export interface Delivered {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds that answers took, in the middle and at the 99th of a hundred. */
  readonly median: number
  readonly high: number
}

/** A process that makes load. */
export interface LoadMaker {
  readonly run: (order: Order) => Promise<Delivered>
  readonly stop: () => Promise<void>
}

const program = fileURLToPath(new URL('./load-process.ts', import.meta.url))

/** Starts a process that makes load, held to a core where there is one for it. */
export function startLoadMaker(core: number | undefined): LoadMaker {
  const child = start(heldTo(core, [process.execPath, program]), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process that makes load has ended.')
  })
  // Of no interest unless somebody waits for load.
  ended.catch(() => undefined)
  return {
    async run(order) {
      const answered = once(child, 'message')
      child.send(order)
      const [answer] = await Promise.race([answered, ended])
      if (typeof answer.fault === 'string') throw new Error(answer.fault)
      return answer
    },
    stop: () => end(child),
  }
}
