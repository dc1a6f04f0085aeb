import type { AnimalStore } from '../../../server/store/animal-store.ts'
import type { SeededFault } from './seeded-fault.ts'

type Change = (animals: AnimalStore) => Partial<AnimalStore>

let unkept = 1_000_000

/** A store that does not keep what it says. */
export const faultyStores: readonly SeededFault<Change>[] = [
  [
    'what is added is answered and not kept',
    () => ({
      async add(animal) {
        unkept += 1
        return { kind: 'added', animal: { id: unkept, ...animal } }
      },
    }),
    'repeated',
    'read back',
  ],
  [
    'a repeated request is forgotten',
    (animals) => ({ add: (animal) => animals.add(animal) }),
    'repeated',
    'read back',
  ],
  [
    'a list ignores its filter',
    (animals) => ({ page: (query) => animals.page({ ...query, status: undefined }) }),
    'read back',
    'read back',
  ],
  [
    'pages overlap',
    (animals) => ({ page: (query) => animals.page({ ...query, after: query.after - 1 }) }),
    'read back',
    'read back',
  ],
  [
    'nothing is found by its name',
    () => ({ find: async () => undefined }),
    'read back',
    'read back',
  ],
  [
    'the store fails',
    () => ({
      async page() {
        throw new Error('SQLITE_CORRUPT: database disk image is malformed')
      },
    }),
    'accepted',
    'outcome',
  ],
]
