import type { ChildProcess } from 'node:child_process'
import type { FromService, ToService } from './service-messages.ts'

type Message<Kind> = Extract<FromService, { kind: Kind }>

/** How an attempt to serve went. */
export type Attempt = Message<'ready'> | Message<'failed'>

export interface AttemptOptions {
  /** Finds a place for people to reach the service; gives the origin. */
  readonly onWanted: (host: string, port: number) => Promise<string>
  readonly onAnswered: (message: Message<'answered'>) => void
}

/** What people know of the service that was started first; absent as long as there was none. */
export interface Known {
  readonly origin?: string
  readonly key?: string
}

/** Tells a process to serve. */
export function begin(
  child: ChildProcess,
  known: Known,
  { onWanted, onAnswered }: AttemptOptions,
): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    child.once('exit', (status, signal) => {
      resolve({ kind: 'failed', message: `It ended: ${signal ?? `status ${status}`}.` })
    })
    child.on('message', (message: FromService) => {
      if (message.kind === 'answered') onAnswered(message)
      else if (message.kind !== 'wanted') resolve(message)
      else if (known.origin === undefined) {
        const settled = onWanted(message.host, message.port)
        settled.then((found) => send(child, { kind: 'origin', origin: found }), reject)
      }
    })
    send(child, { kind: 'serve', ...known })
  })
}

/** Sends a message to a process that may be gone. */
export function send(child: ChildProcess, message: ToService): void {
  if (child.connected) child.send(message, () => undefined)
}
