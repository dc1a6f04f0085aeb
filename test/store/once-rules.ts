import { expect } from 'vitest'
import type { Once } from '../../server/store/animal-store.ts'
import type { Store } from '../../server/store/store.ts'
import { openAt } from '../support/places/place.ts'
import type { StoreRules } from './store-rules.ts'

const cat = { name: 'Cat', categoryId: 1 } as const
const dog = { name: 'Dog', categoryId: 2, status: 'sold' } as const

function onceOf(changes: Partial<Once> = {}): Once {
  const expiresAt = Date.now() + 60_000
  return { callerId: 'key_a', key: 'k', fingerprint: 'cat', expiresAt, ...changes }
}

async function countOf(store: Store): Promise<number> {
  return (await store.animals.page({ after: 0, limit: 1000, status: undefined })).length
}

/** What any engine must do with additions that happen once. */
export const onceRules: StoreRules = {
  async 'an addition under an idempotency key gives the same animal again, also after a restart'(
    createPlace,
  ) {
    const place = await createPlace()
    const store = await openAt(place)
    const first = await store.animals.add(dog, onceOf())
    expect(first).toStrictEqual({ kind: 'added', animal: { id: 1, ...dog } })
    const again = { kind: 'repeated', animal: { id: 1, ...dog } }
    expect(await store.animals.add(dog, onceOf())).toStrictEqual(again)
    await store.close()
    const reopened = await openAt(place)
    expect(await reopened.animals.add(dog, onceOf())).toStrictEqual(again)
    expect(await countOf(reopened)).toBe(1)
  },

  async 'an addition under an idempotency key is refused for another animal, and the first stays'(
    createPlace,
  ) {
    const store = await openAt(await createPlace())
    await store.animals.add(cat, onceOf())
    const other = onceOf({ fingerprint: 'dog' })
    expect(await store.animals.add(dog, other)).toEqual({ kind: 'reused' })
    expect(await store.animals.add(cat, onceOf())).toMatchObject({ kind: 'repeated' })
    expect(await countOf(store)).toBe(1)
  },

  async 'an addition under an idempotency key is another one for another caller and for another key'(
    createPlace,
  ) {
    const store = await openAt(await createPlace())
    // A caller and a key that would read the same when they are put together.
    const separate = [
      onceOf({ callerId: 'a', key: 'b c' }),
      onceOf({ callerId: 'a b', key: 'c' }),
      onceOf({ callerId: 'a', key: 'B C' }),
      onceOf({ callerId: 'a', key: 'b c ' }),
    ]
    for (const once of separate) {
      expect(await store.animals.add(cat, once)).toMatchObject({ kind: 'added' })
    }
    expect(await countOf(store)).toBe(separate.length)
  },

  async 'an addition under an idempotency key is forgotten after its time'(createPlace) {
    const store = await openAt(await createPlace())
    const isOver = onceOf({ expiresAt: Date.now() - 1 })
    expect(await store.animals.add(cat, isOver)).toMatchObject({ kind: 'added' })
    const other = onceOf({ fingerprint: 'dog' })
    expect(await store.animals.add(dog, other)).toMatchObject({ kind: 'added' })
    expect(await store.animals.add(dog, other)).toMatchObject({ kind: 'repeated' })
    expect(await countOf(store)).toBe(2)
  },

  async 'an addition under an idempotency key is one row when fifty ask at once, on two instances'(
    createPlace,
  ) {
    const place = await createPlace()
    const stores = [await openAt(place), await openAt(place)]
    const asked = Array.from({ length: 25 }, () =>
      stores.map((store) => store.animals.add(cat, onceOf())),
    )
    const additions = await Promise.all(asked.flat())
    const added = additions.filter(({ kind }) => kind === 'added')
    expect(added).toEqual([{ kind: 'added', animal: { id: expect.any(Number), ...cat } }])
    const animals = additions.flatMap((addition) => ('animal' in addition ? addition.animal : []))
    expect(new Set(animals.map(({ id }) => id)).size).toBe(1)
    for (const addition of additions) {
      // On a slow day some are told to ask again: never anything else.
      if (addition.kind === 'in-progress') continue
      expect(addition).toMatchObject({ animal: cat })
    }
    expect(await Promise.all(stores.map(countOf))).toEqual([1, 1])
    expect(await stores[1]?.animals.add(cat, onceOf())).toMatchObject({ kind: 'repeated' })
  },
}
