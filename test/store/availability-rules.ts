import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { openAt } from '../support/places/place.ts'
import type { StoreRules } from './store-rules.ts'

const cat = { name: 'Cat', categoryId: 1 } as const
const everything = { after: 0, limit: 100, status: undefined } as const
const unavailable = { name: 'StoreUnavailable' }

function onceOf(key: string) {
  return { callerId: 'key_a', key, fingerprint: 'cat', expiresAt: Date.now() + 60_000 }
}

/** What any engine must do while it cannot write, or cannot do anything. */
export const availabilityRules: StoreRules = {
  async 'while another process keeps the writers waiting reads are answered, and writers go on when it is over'(
    createPlace,
  ) {
    const place = await createPlace()
    const store = await openAt(place)
    await store.animals.add(cat)
    const release = await place.blockWriters()
    const adding = Promise.all([store.animals.add(cat), store.animals.add(cat)])
    const durations: number[] = []
    for (let read = 0; read < 10; read++) {
      const from = performance.now()
      expect(await store.animals.page(everything)).toHaveLength(1)
      await store.ping()
      durations.push(performance.now() - from)
      await wait(20)
    }
    await release()
    expect((await adding).map(({ kind }) => kind)).toEqual(['added', 'added'])
    expect(await store.animals.page(everything)).toHaveLength(3)
    expect(durations.sort((a, b) => a - b).at(5)).toBeLessThan(100)
  },

  async 'while another process keeps the writers waiting a repetition is told that the first is in progress, and later gets its animal'(
    createPlace,
  ) {
    const place = await createPlace()
    const store = await openAt(place)
    const release = await place.blockWriters()
    const first = store.animals.add(cat, onceOf('k'))
    expect(await store.animals.add(cat, onceOf('k'))).toEqual({ kind: 'in-progress' })
    await release()
    expect(await first).toMatchObject({ kind: 'added', animal: { id: 1 } })
    const again = await store.animals.add(cat, onceOf('k'))
    expect(again).toMatchObject({ kind: 'repeated', animal: { id: 1 } })
  },

  async 'while another process keeps the writers waiting a writer gives up after a while, and nothing of it is kept'(
    createPlace,
  ) {
    const place = await createPlace()
    const store = await openAt(place)
    const release = await place.blockWriters()
    const from = performance.now()
    await expect(store.animals.add(cat, onceOf('k'))).rejects.toMatchObject(unavailable)
    expect(performance.now() - from).toBeLessThan(10_000)
    await release()
    expect(await store.animals.page(everything)).toEqual([])
    // The key was not used up.
    expect(await store.animals.add(cat, onceOf('k'))).toMatchObject({ kind: 'added' })
  },

  async 'a closed store is unavailable, whatever it is asked, and can be closed again'(
    createPlace,
  ) {
    const store = await openAt(await createPlace())
    await store.close()
    await store.close()
    const { animals, keys } = store
    const asked = [
      () => animals.add(cat),
      () => animals.add(cat, onceOf('k')),
      () => animals.find(1),
      () => animals.page(everything),
      () => keys.find('key_a'),
      () => keys.findByDigest(new Uint8Array(32)),
      () => keys.list(),
      () => keys.revoke('key_a', 1),
      () => store.ping(),
    ]
    for (const ask of asked) await expect(ask(), `${ask}`).rejects.toMatchObject(unavailable)
  },

  async 'a closed store answers every writer that was waiting, and keeps what it said it kept'(
    createPlace,
  ) {
    const place = await createPlace()
    const store = await openAt(place)
    const adding = Promise.allSettled(Array.from({ length: 600 }, () => store.animals.add(cat)))
    await wait(1)
    await store.close()
    const outcomes = await adding
    const kept = outcomes.filter(({ status }) => status === 'fulfilled').length
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(unavailable)
    }
    const page = await (await openAt(place)).animals.page({ ...everything, limit: 1000 })
    expect(page).toHaveLength(kept)
  },
}
