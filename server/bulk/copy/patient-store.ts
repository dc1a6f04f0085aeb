import type { CopyStore } from '../../store/copy/copy-store.ts'
import { patiently } from '../patience.ts'

/** A store that is waited for while it is away: everything that a copy asks may be done twice. */
export function createPatientStore(store: CopyStore, signal: AbortSignal): CopyStore {
  return {
    page: (...args) => patiently(() => store.page(...args), signal),
    between: (...args) => patiently(() => store.between(...args), signal),
    like: (...args) => patiently(() => store.like(...args), signal),
    put: (...args) => patiently(() => store.put(...args), signal),
    last: (...args) => patiently(() => store.last(...args), signal),
    goOnAbove: (...args) => patiently(() => store.goOnAbove(...args), signal),
    origin: () => patiently(() => store.origin(), signal),
    adopt: (...args) => patiently(() => store.adopt(...args), signal),
  }
}
