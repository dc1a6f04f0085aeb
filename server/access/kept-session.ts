import type { Tally } from './tally.ts'

/** Milliseconds from one attempt to open a session to the next, at least. */
const pause = 1_000

/** A way to a shared tally that serves until it fails for the first time. */
export interface Session extends Tally {
  /** Resolves with the reason when it cannot serve any more, a call that failed for one. */
  readonly ended: Promise<unknown>
  /** Ends it; what waits for an answer rejects at once. */
  readonly close: () => void
}

export interface SessionOptions {
  /** Opens a session; rejects when that fails, takes too long, or the signal ends it. */
  readonly open: (signal: AbortSignal) => Promise<Session>
  /** Told once when it begins that there is no session. */
  readonly onLost: (reason: unknown) => void
  /** Told when there is one, at the start or again. */
  readonly onOpen: () => void
}

/** Keeps a session open, as far as that can be. */
export interface KeptSession {
  /** The session that is open now. */
  readonly current: () => Session | undefined
  readonly close: () => Promise<void>
}

/** Opens a session, and another one whenever it ends: at once, and then every second. */
export async function keepSession({ open, onLost, onOpen }: SessionOptions): Promise<KeptSession> {
  const closing = new AbortController()
  let session: Session | undefined
  let isLost = false
  let timer: NodeJS.Timeout | undefined

  async function attempt(): Promise<void> {
    const next = performance.now() + pause
    try {
      const opened = await open(closing.signal)
      session = opened
      isLost = false
      onOpen()
      opened.ended.then((reason) => lose(opened, reason, next))
    } catch (error) {
      lose(undefined, error, next)
    }
  }

  function lose(lost: Session | undefined, reason: unknown, next: number): void {
    if (closing.signal.aborted) return
    session = undefined
    lost?.close()
    timer = setTimeout(
      () => {
        attempting = attempt()
      },
      Math.max(0, next - performance.now()),
    )
    if (!isLost) onLost(reason)
    isLost = true
  }

  let attempting = attempt()
  await attempting
  return {
    current: () => session,
    async close() {
      clearTimeout(timer)
      closing.abort()
      await attempting
      session?.close()
    },
  }
}
