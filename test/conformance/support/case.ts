import fc from 'fast-check'
import type { AnswerCheck } from './answer-check.ts'
import type { Contract } from './contract.ts'
import type { Fault } from './fault.ts'
import type { Target } from './target.ts'

/** What cases are judged with. */
export interface Bench {
  readonly contract: Contract
  readonly check: AnswerCheck
  readonly target: Target
}

/** How far a run goes. */
export interface Extent {
  /** Values of each case. */
  readonly runs: number
  readonly seed: number
  /** Whether the first finding is enough, as it was found. */
  readonly isFirstEnough: boolean
}

/** Something that does not hold. */
export interface Finding {
  /** What was checked. */
  readonly check: string
  readonly operation: string
  readonly faults: readonly Fault[]
  /** What to read and to repeat. */
  readonly report: string
}

/** One property of one operation. */
export interface Case {
  readonly check: string
  readonly operation: string
  /** Holds the case against a target; counts each value that it tries. */
  readonly run: (bench: Bench, extent: Extent, count: () => void) => Promise<Finding | undefined>
}

/** What is tried: values, what is wrong with what comes of each, and each as somebody repeats it. */
export interface Trial<Value> {
  readonly check: string
  readonly operation: string
  readonly values: fc.Arbitrary<Value>
  /** Whether there is one value only. */
  readonly isSingle?: boolean
  readonly judge: (value: Value, bench: Bench) => Promise<readonly Fault[]>
  readonly show: (value: Value, origin: string) => string
}

/** Stops fast-check at a value that something is wrong with. */
class Broken extends Error {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super('A case does not hold.')
    this.faults = faults
  }
}

/** Makes a case of a trial: what fails is made as small as it can be. */
export function createCase<Value>(trial: Trial<Value>): Case {
  const { check, operation, values, isSingle = false, judge, show } = trial

  async function run(bench: Bench, extent: Extent, count: () => void) {
    const property = fc.asyncProperty(values, async (value) => {
      count()
      const found = await judge(value, bench)
      if (found.length > 0) throw new Broken(found)
    })
    const { runs, seed, isFirstEnough } = extent
    const numRuns = isSingle ? 1 : runs
    const details = await fc.check(property, { numRuns, seed, endOnFailure: isFirstEnough })
    if (!details.failed) return undefined
    const { counterexample, errorInstance } = details
    if (!(errorInstance instanceof Broken) || counterexample === null) throw errorInstance
    const { faults } = errorInstance
    const lines = [
      `${check}, of ${operation}:`,
      ...faults.map(({ aspect, message }) => `  ${aspect}: ${message}`),
      `  ${show(counterexample[0], bench.target.origin)}`,
      `  again with CONFORMANCE_SEED=${seed}`,
    ]
    return { check, operation, faults, report: lines.join('\n') }
  }

  return { check, operation, run }
}
