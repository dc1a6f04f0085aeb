import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { createForwarder } from '../../../scripts/dev/forward.ts'
import { createFront } from '../../../scripts/dev/front.ts'
import type { LoopState } from '../../../scripts/dev/loop-state.ts'
import { createLoopState } from '../../../scripts/dev/loop-state-holder.ts'
import { createStudio } from '../../../scripts/dev/studio.ts'
import { startTestService } from '../../support/service.ts'

/** The designer's page, served by the loop's own front, with states that a test makes. */
export interface StudioServer {
  readonly origin: string
  /** How often the reference was asked for. */
  readonly timesDocsWereRead: () => number
  /** Tells every page that is open a state, and those that come later. */
  readonly tell: (state: LoopState) => void
  /** Ends as a loop does that is stopped. */
  readonly stop: () => Promise<void>
  /** Begins again at the same address. */
  readonly start: () => Promise<void>
  /** Answers every request at the same address with 503, until it is stopped. */
  readonly startRefusing: () => Promise<void>
}

const host = '127.0.0.1'

/** Serves the designer's page until the test ends, with the reference of a service beside it. */
export async function serveStudio(first: LoopState): Promise<StudioServer> {
  const service = await startTestService()
  const state = createLoopState()
  const forwarder = createForwarder(async () => Number(new URL(service.origin).port))
  let docsRead = 0
  let port = 0
  let stop = async (): Promise<void> => undefined

  async function start(): Promise<void> {
    const counting: typeof forwarder = {
      ...forwarder,
      forward(request, response) {
        if (request.url === '/docs') docsRead += 1
        return forwarder.forward(request, response)
      },
    }
    const front = createFront(counting, createStudio(state))
    port = Number(new URL(await front.listen(host, port)).port)
    stop = front.stop
  }

  async function startRefusing(): Promise<void> {
    const server = createServer((_, response) => void response.writeHead(503).end())
    await new Promise<void>((resolve) => server.listen(port, host, resolve))
    stop = async () => void server.close().closeAllConnections()
  }

  // Everything is told: what a state does not have must not be left over from the one before.
  const tell = (next: LoopState): void => state.set({ trouble: undefined, ...next })
  tell(first)
  await start()
  onTestFinished(() => stop())
  return {
    origin: `http://${host}:${port}`,
    timesDocsWereRead: () => docsRead,
    tell,
    stop: () => stop(),
    start,
    startRefusing,
  }
}
