import type { CopyStore } from '../../store/copy/copy-store.ts'
import { patiently } from '../patience.ts'

/** A store that is waited for while it is away: everything that a copy asks may be done twice. */
export function createPatientStore(store: CopyStore): CopyStore {
  return {
    page: (...args) => patiently(() => store.page(...args)),
    between: (...args) => patiently(() => store.between(...args)),
    like: (...args) => patiently(() => store.like(...args)),
    put: (...args) => patiently(() => store.put(...args)),
    last: (...args) => patiently(() => store.last(...args)),
    goOnAbove: () => patiently(() => store.goOnAbove()),
    origin: () => patiently(() => store.origin()),
    adopt: (...args) => patiently(() => store.adopt(...args)),
  }
}
