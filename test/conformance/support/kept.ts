import type { Arbitrary } from 'fast-check'

/** Values in a row that a generator may get wrong before it is at fault. */
const patience = 10_000

/** The values that are of use; throws where a generator makes none, instead of trying forever. */
export function kept<Value>(
  values: Arbitrary<Value>,
  isKept: (value: Value) => boolean,
  what: string,
): Arbitrary<Value> {
  let refused = 0
  return values.filter((value) => {
    refused = isKept(value) ? 0 : refused + 1
    if (refused > patience) throw new Error(`The generator of ${what} makes nothing of use.`)
    return refused === 0
  })
}
