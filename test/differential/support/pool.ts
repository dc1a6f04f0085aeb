import fc, { type Arbitrary } from 'fast-check'

/** Values of a generator; none where it does not know how to make them. */
export function sampled<Value>(make: () => Arbitrary<Value>, count: number): Value[] {
  return sampledEach(() => [make()], count)
}

/** A schema that is part of itself has any number of them, and each takes its time. */
const mostGenerators = 40

/** Values of several generators; none of those that cannot make any. */
export function sampledEach<Value>(
  make: () => readonly Arbitrary<Value>[],
  count: number,
): Value[] {
  if (count === 0) return []
  const all = attempt(make)
  const step = Math.ceil(all.length / mostGenerators)
  const some = all.filter((_, at) => at % step === 0)
  return some.flatMap((values) => attempt(() => fc.sample(values, { numRuns: count, seed: 1 })))
}

// The generators refuse a description that says what they do not know; others are made then.
function attempt<T>(make: () => readonly T[]): readonly T[] {
  try {
    return make()
  } catch {
    return []
  }
}
