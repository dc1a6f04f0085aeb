import type { PageQuery, PetStore } from '../server/store/pet-store.ts'
import { median } from './statistics.ts'

const [rounds, warmUp] = [1_000, 200]

/** Microseconds that a page takes at the store, in the middle of many; throws where it is not whole. */
export async function timePage(animals: PetStore, query: PageQuery): Promise<number> {
  const { length } = await animals.page(query)
  if (length !== query.limit)
    throw new Error(`After id ${query.after} a page has ${length} animals.`)
  const times: number[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const from = performance.now()
    await animals.page(query)
    if (round >= warmUp) times.push((performance.now() - from) * 1000)
  }
  return median(times)
}
