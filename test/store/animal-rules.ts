import { expect } from 'vitest'
import type { Animal, NewAnimal } from '../../server/store/animal-store.ts'
import type { Store } from '../../server/store/store.ts'
import { openAt } from '../support/places/place.ts'
import type { StoreRules } from './store-rules.ts'

const cat = { name: 'Cat', categoryId: 1 } as const

const everything = { after: 0, limit: 1000, status: undefined } as const

const names = [
  '🦊',
  '👩‍👩‍👧‍👦 joined by zero-width joiners',
  'a composed \u00e9',
  'a composed e\u0301, in two code points',
  '  spaces around \t\n',
  'a',
  'A',
  `O'Malley "the" %_\\ -- ;`,
  'noncharacters \uffff\u{10ffff}',
  '🐈'.repeat(1000),
]

async function add(store: Store, animal: NewAnimal): Promise<Animal> {
  const addition = await store.animals.add(animal)
  if (addition.kind !== 'added') throw new Error(`It was not added: ${addition.kind}`)
  return addition.animal
}

async function idsOf(
  store: Store,
  after = 0,
  limit = 100,
  status?: Animal['status'],
): Promise<number[]> {
  const page = await store.animals.page({ after, limit, status })
  return page.map(({ id }) => id)
}

/** What any engine must do with animals. */
export const animalRules: StoreRules = {
  async 'ids start at 1 and grow'(createPlace) {
    const store = await openAt(await createPlace())
    const added = [await add(store, cat), await add(store, cat), await add(store, cat)]
    expect(added.map(({ id }) => id)).toEqual([1, 2, 3])
  },

  async 'ids are not given again when the newest animal is deleted, nor after a restart'(
    createPlace,
  ) {
    const place = await createPlace()
    const first = await openAt(place)
    await add(first, cat)
    const { id } = await add(first, cat)
    await place.deleteAnimal(id)
    const next = await add(first, cat)
    expect(next.id).toBeGreaterThan(id)
    await place.deleteAnimal(next.id)
    await first.close()
    const second = await openAt(place)
    expect((await add(second, cat)).id).toBeGreaterThan(next.id)
    expect(await idsOf(second)).toEqual([1, next.id + 1])
  },

  async 'ids of 500 that are added at once are distinct, and all 500 are kept'(createPlace) {
    const store = await openAt(await createPlace())
    const names = Array.from({ length: 500 }, (_, index) => `animal ${index}`)
    const added = await Promise.all(names.map((name) => add(store, { name, categoryId: 1 })))
    expect(new Set(added.map(({ id }) => id)).size).toBe(500)
    expect(await store.animals.page({ after: 0, limit: 1000, status: undefined })).toEqual(
      added.toSorted((a, b) => a.id - b.id),
    )
  },

  async 'an animal keeps its name, byte for byte'(createPlace) {
    const place = await createPlace()
    const store = await openAt(place)
    for (const name of names) await add(store, { name, categoryId: 1 })
    await store.close()
    const found = await (await openAt(place)).animals.page({ ...everything, limit: 100 })
    expect(found.map(({ name }) => Buffer.from(name))).toEqual(
      names.map((name) => Buffer.from(name)),
    )
  },

  async 'an animal keeps its fields, and has no status when it was given none'(createPlace) {
    const store = await openAt(await createPlace())
    const animals: NewAnimal[] = [
      { name: 'A', categoryId: 9_007_199_254_740_991 },
      { name: 'B', categoryId: -9_007_199_254_740_991, status: 'sold' },
      { name: 'C', categoryId: 0, status: 'pending' },
    ]
    const kept = animals.map((animal, index) => ({ id: index + 1, ...animal }))
    const added: Animal[] = []
    for (const animal of animals) added.push(await add(store, animal))
    expect(added).toStrictEqual(kept)
    const found = await Promise.all(kept.map(({ id }) => store.animals.find(id)))
    expect(found).toStrictEqual(kept)
    const page = await store.animals.page({ after: 0, limit: 10, status: undefined })
    expect(page).toStrictEqual(kept)
  },

  async 'an animal that was never added is not found'(createPlace) {
    const store = await openAt(await createPlace())
    await add(store, cat)
    const ids = [0, -1, 2, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    const found = await Promise.all(ids.map((id) => store.animals.find(id)))
    expect(found).toEqual(ids.map(() => undefined))
  },

  async 'a page begins after an id, ends at the limit, and holds one status where asked'(
    createPlace,
  ) {
    const store = await openAt(await createPlace())
    const statuses = ['sold', 'available', undefined, 'sold', 'pending', 'sold'] as const
    for (const status of statuses) await add(store, { ...cat, ...(status && { status }) })
    expect(await idsOf(store)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await idsOf(store, 2, 3)).toEqual([3, 4, 5])
    expect(await idsOf(store, 6)).toEqual([])
    expect(await idsOf(store, -5, 1)).toEqual([1])
    expect(await idsOf(store, Number.MAX_SAFE_INTEGER)).toEqual([])
    expect(await idsOf(store, 0, 2, 'sold')).toEqual([1, 4])
    expect(await idsOf(store, 4, 2, 'sold')).toEqual([6])
    expect(await idsOf(store, 0, 100, 'available')).toEqual([2])
  },

  'a page walk under inserts shows what was there at its start once': walkUnderInserts(undefined),
  'a page walk of one status under inserts does so too': walkUnderInserts('sold'),
}

function walkUnderInserts(status: Animal['status']): StoreRules[string] {
  return async (createPlace) => {
    const store = await openAt(await createPlace())
    const animal = { ...cat, ...(status && { status }) }
    const atStart = await Promise.all(Array.from({ length: 60 }, () => add(store, animal)))
    const seen: number[] = []
    for (let isOver = false; !isOver; ) {
      const adding = Array.from({ length: 5 }, () => add(store, animal))
      const page = await idsOf(store, seen.at(-1) ?? 0, 7, status)
      await Promise.all(adding)
      seen.push(...page)
      // What is added without end would be walked without end.
      isOver = page.length < 7 || seen.length > 200
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(seen).toEqual(expect.arrayContaining(atStart.map(({ id }) => id)))
  }
}
