import type { Count, CreateCounter } from './counters.ts'
import type { Quota } from './plans.ts'
import { bindingWindow, type Window } from './window.ts'

const minute = 60
const day = 86_400

/** Whether a request is within its key's limits, and what is left. */
export interface LimitVerdict {
  readonly outcome: 'allowed' | 'limited' | 'banned'
  /** The window that the headers show. */
  readonly window: Window
  /** When a refused request may be tried again, in milliseconds since 1970. */
  readonly retryAt: number
}

export interface BanRule {
  /** Refusals within a minute that lead to a ban. */
  readonly after: number
  readonly seconds: number
}

export type KeyLimits = (keyId: string, quota: Quota) => Promise<LimitVerdict>

/** Counts the requests of each key against its minute and its day, and bans those that go on. */
export function createKeyLimits(createCounter: CreateCounter, ban: BanRule): KeyLimits {
  const minutes = createCounter('minute', minute)
  const days = createCounter('day', day)
  const refusals = createCounter('refusal', minute)
  const bans = createCounter('ban', ban.seconds)

  /** The verdict on a banned key: it helps to wait until the ban and every full window are over. */
  function refuseBanned(windows: Windows, { resetAt }: Count): LimitVerdict {
    return { outcome: 'banned', window: windows[0], retryAt: Math.max(resetAt, ...endsOf(windows)) }
  }

  async function refuse(keyId: string, windows: Windows): Promise<LimitVerdict> {
    const { events } = await refusals.add(keyId)
    if (events < ban.after) {
      const retryAt = Math.max(...endsOf(windows))
      return { outcome: 'limited', window: bindingWindow(...windows), retryAt }
    }
    // The next ban takes as many refusals again.
    await refusals.reset(keyId)
    return refuseBanned(windows, await bans.add(keyId))
  }

  return async function count(keyId, { perMinute, perDay }) {
    const banned = await bans.read(keyId)
    if (banned.events > 0) {
      const minute = toWindow(await minutes.read(keyId), perMinute)
      return refuseBanned([minute, toWindow(await days.read(keyId), perDay)], banned)
    }
    const inMinute = await minutes.add(keyId)
    if (inMinute.events > perMinute) {
      const today = toWindow(await days.read(keyId), perDay)
      return refuse(keyId, [toWindow(inMinute, perMinute), today])
    }
    const inDay = await days.add(keyId)
    const windows = [toWindow(inMinute, perMinute), toWindow(inDay, perDay)] as const
    if (inDay.events <= perDay) {
      return { outcome: 'allowed', window: bindingWindow(...windows), retryAt: Date.now() }
    }
    // What the day refuses is not taken from the minute.
    await minutes.undo(keyId)
    return refuse(keyId, [
      toWindow({ ...inMinute, events: inMinute.events - 1 }, perMinute),
      windows[1],
    ])
  }
}

type Windows = readonly [minute: Window, day: Window]

function endsOf(windows: Windows): number[] {
  return windows.filter(({ remaining }) => remaining === 0).map(({ resetAt }) => resetAt)
}

function toWindow({ events, resetAt }: Count, limit: number): Window {
  return { limit, remaining: Math.max(0, limit - events), resetAt }
}
