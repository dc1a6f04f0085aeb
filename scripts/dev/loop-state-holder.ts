import type { LoopState } from './loop-state.ts'

/** The state of the loop, to whoever wants to be told of its changes. */
export interface LoopStateHolder {
  readonly get: () => LoopState
  readonly set: (change: Partial<LoopState>) => void
  /** Calls back at every change, until the function that it gives is called. */
  readonly subscribe: (onChange: (state: LoopState) => void) => () => void
}

const mostRequests = 200

/** Makes the state of a loop that has not run yet. */
export function createLoopState(): LoopStateHolder {
  const subscribers = new Set<(state: LoopState) => void>()
  let state: LoopState = {
    run: 0,
    saved: [],
    milliseconds: {},
    isHealthy: false,
    referenceBuilds: 0,
    service: undefined,
    trouble: undefined,
    lint: [],
    diff: undefined,
    code: [],
    operations: [],
    requests: [],
  }
  return {
    get: () => state,
    set(change) {
      const requests = (change.requests ?? state.requests).slice(-mostRequests)
      state = { ...state, ...change, requests }
      for (const tell of subscribers) tell(state)
    },
    subscribe(onChange) {
      subscribers.add(onChange)
      return () => void subscribers.delete(onChange)
    },
  }
}
