import { compareDescriptions } from '../diff/compare.ts'
import type { Change, ContractDiff } from '../diff/contract-diff.ts'
import type { Released } from '../diff/released.ts'
import { compareVersions } from '../diff/version.ts'
import { readComparable } from '../diff/whole-description.ts'
import { shortPath } from '../pipeline/project.ts'
import { checkStoredValues } from './stored-values.ts'
import { checkSunsets } from './sunsets.ts'

/** What the gate is to look at. */
export interface GateOptions {
  readonly spec: string
  /** The last release, if there is one. */
  readonly released: Released | undefined
  readonly today: Date
  /** The file with what became of stored values, if not the project's own. */
  readonly storedValues?: string
}

/** What stands in the way of a description, and what is only to be known. */
export interface GateFindings {
  readonly faults: readonly string[]
  readonly notes: readonly string[]
}

/** How many changes are named where the version does not allow for them. */
const shownChanges = 5

/** Judges whether a description may follow the last release. */
export async function passGate(options: GateOptions): Promise<GateFindings> {
  const { spec, released, today } = options
  const sunsets = checkSunsets(await readComparable(spec), today)
  if (released === undefined) {
    const note =
      'there is no release yet to compare with; the first one is made by: npm run release'
    return { faults: sunsets.faults, notes: [note, ...sunsets.reminders] }
  }
  const diff = await compareDescriptions(released.file, spec, released.ref)
  const stored = await checkStoredValues(diff, greater(diff), options.storedValues)
  return {
    faults: [
      ...checkVersion(diff, spec),
      ...checkRemovals(diff, today),
      ...sunsets.faults,
      ...stored,
    ],
    notes: sunsets.reminders,
  }
}

function greater({ current, needed }: ContractDiff): string {
  return compareVersions(current.version, needed) > 0 ? current.version : needed
}

function checkVersion(diff: ContractDiff, spec: string): string[] {
  const { base, current, needed, changes, step } = diff
  if (compareVersions(current.version, needed) >= 0) return []
  const why =
    step === 'none'
      ? `${base.ref} has it`
      : `the changes since ${base.ref} (${base.version}) need it`
  const shown = changes.filter((change) => change.step === step).slice(0, shownChanges)
  const more = changes.length - shown.length
  return [
    `${shortPath(spec)}: info.version is ${current.version} and must be at least ${needed}, because ${why}; write version: ${needed}, then run: npm run generate`,
    ...shown.map((change) => `  ${change.step}: ${describe(change)}`),
    ...(more > 0 ? [`  and ${more} more; all are shown by: npm run diff`] : []),
  ]
}

// Whatever the version: those who were told of a day have planned by it.
function checkRemovals({ changes }: ContractDiff, today: Date): string[] {
  return changes.flatMap(({ sunset, what, place }) => {
    if (sunset === undefined) return []
    if (sunset === 'never announced') {
      return [
        `${what} It was never announced; put it back with deprecated, x-deprecated-at, x-sunset and x-replaced-by, and remove it after that day`,
      ]
    }
    return Date.parse(sunset) > today.getTime()
      ? [`${place}: ${what} It may not go before ${sunset}; put it back until then`]
      : []
  })
}

function describe({ place, what }: Change): string {
  return what.includes(place) ? what : `${place}: ${what}`
}
