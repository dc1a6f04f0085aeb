import { compareDescriptions } from '../diff/compare.ts'
import type { ContractDiff } from '../diff/contract-diff.ts'
import type { Released } from '../diff/released.ts'
import { compareVersions } from '../diff/version.ts'
import { readComparable } from '../diff/whole-description.ts'
import { openDescription } from '../pipeline/bundle.ts'
import { findPlace } from '../pipeline/references.ts'
import { checkStoredValues } from './stored-values.ts'
import { checkSunsets, type SunsetFault } from './sunsets.ts'
import { checkVersion } from './version-step.ts'

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

/** Judges whether a description may follow the last release. */
export async function passGate(options: GateOptions): Promise<GateFindings> {
  const { spec, released, today } = options
  const { faults: passed, reminders } = checkSunsets(await readComparable(spec), today)
  const sunsets = { faults: await withPlaces(spec, passed), reminders }
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

async function withPlaces(spec: string, faults: readonly SunsetFault[]): Promise<string[]> {
  const { document, resolver } = await openDescription(spec)
  const lines = faults.map(async ({ pointer, what }) => {
    return `${await findPlace(document, resolver, pointer)} ${what}`
  })
  return Promise.all(lines)
}

function greater({ current, needed }: ContractDiff): string {
  return compareVersions(current.version, needed) > 0 ? current.version : needed
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
      ? [`${place}: ${what} It must not be removed before ${sunset}; put it back until then`]
      : []
  })
}
