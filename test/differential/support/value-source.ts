import type { Contract } from '../../conformance/support/contract.ts'
import type { Json } from '../../support/traffic/contract-index.ts'
import type { Dice } from './dice.ts'
import { mutated } from './mutation.ts'
import { oddValue } from './odd-values.ts'
import { sampled, sampledEach } from './pool.ts'
import type { RoughValueOf } from './rough-values.ts'

/** Gives values for one schema. */
export interface ValueSource {
  /** What the description allows, or only just, as far as is known. */
  readonly plain: () => unknown
  readonly odd: () => unknown
}

/** How many values are made before the first is given. */
export interface Richness {
  readonly valid: number
  /** Of each way to keep the schema only just, or to break it. */
  readonly each: number
}

export function createValueSource(
  contract: Contract,
  schema: unknown,
  roughValueOf: RoughValueOf,
  dice: Dice,
  richness: Richness,
): ValueSource {
  const { valid, broken } = poolOf(contract, schema, richness)
  const plain = () => (valid.length > 0 ? dice.pick(valid) : roughValueOf(schema))
  return {
    plain,
    odd() {
      const kind = dice.below(10)
      if (kind < 3) return mutated(plain(), dice)
      if (kind < 6)
        return broken.length > 0 ? dice.pick(broken) : mutated(roughValueOf(schema), dice)
      if (kind === 6 && broken.length > 0) return mutated(dice.pick(broken), dice)
      return kind === 7 ? oddValue(dice) : roughValueOf(schema)
    },
  }
}

/** Values that a schema allows, and others that it does not. */
interface Pool {
  readonly valid: readonly unknown[]
  readonly broken: readonly unknown[]
}

const made = new Map<string, Pool>()

// They take their time, and many places have one schema.
function poolOf(contract: Contract, schema: unknown, { valid, each }: Richness): Pool {
  const text: string = JSON.stringify(schema ?? {})
  const key = `${valid} and ${each} of ${text} of ${JSON.stringify(contract.root)}`
  const json: Json = JSON.parse(text)
  const pool = made.get(key) ?? {
    valid: [
      ...sampled(() => contract.valuesOf(json), valid),
      ...sampledEach(() => contract.edgesOf(json).map(({ values }) => values), each),
    ],
    broken: sampledEach(() => contract.breaksOf(json).map(({ values }) => values), each),
  }
  made.set(key, pool)
  return pool
}
