import type { Request, Response } from '../contract/exchange.ts'

/** How the answer to a request came out. */
export interface Outcome {
  /** Undefined when the caller left before the answer was sent. */
  readonly status: number | undefined
  /** From when the request was understood until its answer was sent, or its caller was gone. */
  readonly milliseconds: number
}

/** Sees a request when it begins, and gives what is to be told of its outcome. */
export type Watcher = (
  request: Pick<Request, 'method' | 'url'>,
  response: Pick<Response, 'locals' | 'statusCode'>,
) => (outcome: Outcome) => void

/** Makes what lets others see how each request comes out. */
export function letWatch(watchers: readonly Watcher[]) {
  return function watch(request: Request, response: Response): void {
    if (watchers.length === 0) return
    const from = performance.now()
    const told = watchers.map((watcher) => watcher(request, response))
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : undefined
      const outcome = { status, milliseconds: performance.now() - from }
      for (const tell of told) tell(outcome)
    })
  }
}
