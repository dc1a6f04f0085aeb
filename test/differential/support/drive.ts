import { operationsOf, type Place } from '../../../scripts/pipeline/operation-places.ts'
import { type Attempt, printAttempt } from './attempt.ts'
import { createAttempts } from './attempts.ts'
import { createDice } from './dice.ts'
import type { Extent } from './extent.ts'
import type { Served } from './served.ts'
import { smallest } from './smallest.ts'
import { type Compared, createWays } from './ways.ts'

/** What came of the attempts at one operation. */
export interface Tally {
  readonly operation: string
  /** Taken by the validators themselves. */
  fast: number
  /** Let in by express-openapi-validator alone. */
  slow: number
  refused: number
  /** Made of nothing but what the description allows, and let in. */
  plain: number
  /** Those of them that the validators took themselves. */
  plainFast: number
  /** What the ways do not agree on, to be read and repeated. */
  readonly findings: string[]
}

const enoughFindings = 3

/** Drives generated requests for one operation through both ways. */
export async function drive(served: Served, name: string, extent: Extent): Promise<Tally> {
  const place = operationsOf(served.description).find((one) => one.name === name)
  const operation = served.operations[name]
  if (place === undefined || operation === undefined) throw new Error(`There is no ${name}.`)
  const make = createAttempts(served.description, served.basePath, place, createDice(extent.seed))
  const compare = createWays(served)
  const tally: Tally = {
    ...{ operation: name, fast: 0, slow: 0, refused: 0, plain: 0, plainFast: 0, findings: [] },
  }
  const stillFails = async (attempt: Attempt) =>
    (await compare(operation, attempt))?.areEqual === false
  let missed = 0
  for (let run = 0; run < extent.runs && tally.findings.length < enoughFindings; ) {
    const { attempt, isPlain } = make()
    const compared = await compare(operation, attempt)
    if (compared === undefined) {
      // What is made may mean another operation now and then, not always.
      if (++missed > extent.runs) throw new Error(`Few requests are for ${name}.`)
      continue
    }
    run++
    count(tally, compared, isPlain)
    if (compared.areEqual) continue
    const least = await smallest(attempt, stillFails)
    const again = (await compare(operation, least)) ?? compared
    tally.findings.push(report(place, least, again, extent))
  }
  return tally
}

function count(tally: Tally, { alone, isFast }: Compared, isPlain: boolean): void {
  if (isFast) tally.fast++
  else if (alone.kind === 'values') tally.slow++
  else tally.refused++
  if (isPlain && alone.kind === 'values') {
    tally.plain++
    if (isFast) tally.plainFast++
  }
}

function report(place: Place, attempt: Attempt, compared: Compared, { seed }: Extent): string {
  return [
    `${place.name}: ${place.method.toUpperCase()} ${place.path}`,
    `  ${printAttempt(attempt)}`,
    `  alone:    ${JSON.stringify(compared.alone)}`,
    `  together: ${JSON.stringify(compared.together)}`,
    `  again with DIFFERENTIAL_SEED=${seed}`,
  ].join('\n')
}

/** A row for each operation. */
export function printTallies(tallies: readonly Tally[], { seed, runs }: Extent): void {
  const width = Math.max(...tallies.map(({ operation }) => operation.length), 10)
  const cells = (values: readonly unknown[]) =>
    values.map((one) => String(one).padStart(9)).join('')
  const rows = tallies.map(({ operation, fast, slow, refused }) =>
    [operation.padEnd(width), cells([fast, slow, refused])].join(''),
  )
  const head = `${'operation'.padEnd(width)}${cells(['compiled', 'authority', 'refused'])}`
  console.log([head, ...rows, `DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_RUNS=${runs}`].join('\n'))
}
