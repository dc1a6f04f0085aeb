import { keepSession, type SessionOptions } from './kept-session.ts'
import type { Tally } from './tally.ts'

export interface SharedTallyOptions {
  readonly open: SessionOptions['open']
  /** Where is counted meanwhile. */
  readonly own: Tally
  /** Told once when it begins that requests are not counted together. */
  readonly onLost: (reason: unknown) => void
  /** Told when requests are counted together, at the start or again. */
  readonly onShared: (state: TallyState) => void
}

/** How a shared tally is doing. */
export interface TallyState {
  readonly isShared: boolean
  /** How many times this process had to count for itself. */
  readonly outages: number
  /** Requests that it counted so. */
  readonly countedAlone: number
}

export interface SharedTally extends Tally {
  readonly state: () => TallyState
  readonly close: () => Promise<void>
}

/**
 * Makes a tally that instances share, and that counts in this process while the shared one cannot
 * be had. No request waits for it to come back.
 */
export async function createSharedTally({
  open,
  own,
  onLost,
  onShared,
}: SharedTallyOptions): Promise<SharedTally> {
  let isShared = false
  let outages = 0
  let countedAlone = 0

  const state = () => ({ isShared, outages, countedAlone })
  const session = await keepSession({
    open,
    onLost(reason) {
      isShared = false
      outages++
      onLost(reason)
    },
    onOpen() {
      isShared = true
      onShared(state())
    },
  })

  async function count<Result>(by: (tally: Tally) => Promise<Result>): Promise<Result> {
    const current = session.current()
    if (current !== undefined) {
      try {
        return await by(current)
      } catch {
        // The session has ended by this, and says why.
      }
    }
    countedAlone++
    return by(own)
  }

  return {
    countKey: (keyId, quota) => count((tally) => tally.countKey(keyId, quota)),
    countAddress: (network) => count((tally) => tally.countAddress(network)),
    readAddress: (network) => count((tally) => tally.readAddress(network)),
    state,
    close: session.close,
  }
}
