import type { Engine } from './engines.ts'
import { createSqlitePlace } from './sqlite-place.ts'

let usual: Pick<Engine, 'createPlace'> = { createPlace: createSqlitePlace }

/** The engine of every test service that is not told its place. */
export function usualEngine(): Pick<Engine, 'createPlace'> {
  return usual
}

/** Lets test services of this test file use another engine. */
export function useEngine(engine: Pick<Engine, 'createPlace'>): void {
  usual = engine
}
