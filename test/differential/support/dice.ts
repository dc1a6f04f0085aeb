import { createRandom } from '../../support/random.ts'

/** Decisions that follow from a seed. */
export interface Dice {
  readonly chance: (probability: number) => boolean
  /** A whole number from 0 to below a limit. */
  readonly below: (limit: number) => number
  readonly pick: <T>(choices: readonly T[]) => T
}

export function createDice(seed: number): Dice {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  return {
    below,
    chance: (probability) => random() < probability,
    pick<T>(choices: readonly T[]) {
      if (choices.length === 0) throw new Error('There is nothing to pick from.')
      return choices[below(choices.length)] as T
    },
  }
}
