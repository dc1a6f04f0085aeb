import { dirname, join } from 'node:path'
import { isObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { Sources } from '../pipeline/sources.ts'
import { acceptChanges, findExpired, readAcceptances } from './accepted.ts'
import { compareDescriptions } from './compare.ts'
import {
  type AcceptedChange,
  assess,
  type Change,
  type Comparison,
  type ContractDiff,
  compareVersions,
  countedChanges,
} from './contract-diff.ts'
import { readNotes } from './notes.ts'
import { toPlace, toSubject } from './pointer.ts'
import { checkKept, findMissingTags, findReleased, type Released } from './released.ts'
import { findMissingNotes } from './stored-values.ts'
import { hasPlaces } from './words.ts'

/** How many changes are named where the version does not allow for them. */
const shownChanges = 5
/** How many days before a sunset the gate reminds of it. */
const reminderDays = 90
const dayLength = 86_400_000

/** The descriptions that the gate compares, and the day. */
interface GateOptions {
  readonly spec: string
  /** The last release, if there is one. */
  readonly released: Released | undefined
  readonly today: Date
  /** The version to be released, if not the one in the description; `needed` increases that where it is too low. */
  readonly version?: string | undefined
  /** The file with notes on the next version, if there is one. */
  readonly changelog?: string | undefined
}

/** Something that keeps a description from being released. */
interface GateError {
  /** What is wrong, and what to do. */
  readonly message: string
  /** What is wrong, with its location in front if it has one. */
  readonly problem: string
  /** What to do, in the imperative, where that is known. */
  readonly fix?: string
  /** Lines that say more, such as the changes that need a version. */
  readonly details: readonly string[]
  /** Text to be pasted into a file, unindented. */
  readonly snippet?: string
}

/** Returns the lines of errors, with their details indented. */
export function toLines(errors: readonly GateError[]): readonly string[] {
  return errors.flatMap(({ message, details }) => [message, ...details.map((line) => `  ${line}`)])
}

/** Returns the texts of errors that are to be pasted. */
export function snippetsOf(errors: readonly GateError[]): readonly string[] {
  return errors.flatMap(({ snippet }) => (snippet === undefined ? [] : [snippet]))
}

/** Checks whether the project's description, and its copy of the last release, may be released today. */
export async function checkRelease(version?: string) {
  const edited = await checkKept()
  const missingTags = await findMissingTags()

  const gate = passGate({ ...projectOptions(), version })
  const errors = edited === '' ? [] : [toError(edited)]
  const notes = missingTags === '' ? [] : [missingTags]
  return { ...gate, errors: [...errors, ...gate.errors], notes: [...notes, ...gate.notes] }
}

/** Returns what the gate compares in this project, today. */
export function projectOptions() {
  const changelog = projectPath('CHANGELOG.md')
  return { spec: projectSpec, released: findReleased(), today: new Date(), changelog }
}

/** Returns the file that lists the accepted changes of a description. */
export function acceptedFileOf(spec: string): string {
  return join(dirname(spec), 'accepted-changes.yaml')
}

/**
 * Returns what a comparison means for the version: without what is accepted, and with what the notes on the
 * next version say. Every command takes the version from here.
 */
export function assessChanges(
  comparison: Comparison,
  { spec, today, changelog }: Omit<GateOptions, 'released'>,
) {
  const acceptances = readAcceptances(acceptedFileOf(spec))
  const { accepted, errors } = acceptChanges(comparison.changes, acceptances, today)
  const notes = changelog === undefined ? undefined : readNotes(changelog)
  return { diff: assess(comparison, accepted, notes?.breaking), errors }
}

/**
 * Checks whether a description may follow the last release; returns what keeps it from that (`errors`),
 * the version that was checked, and the comparison with the last release, if there is one.
 */
export function passGate(options: GateOptions) {
  const { released, today } = options
  const sources = new Sources(options.spec)
  const { overdue, notes } = checkSunsets(sources, today)
  const current = sources.version
  const version = options.version === 'needed' ? current : (options.version ?? current)
  if (released === undefined) {
    const note = 'there is no release yet to compare with; make the first one: npm run release'
    const expired = findExpired(readAcceptances(acceptedFileOf(options.spec)), today)
    return {
      errors: [...expired.map((text) => toError(text)), ...overdue],
      notes: [note, ...notes],
      version,
      diff: undefined,
    }
  }
  const comparison = compareDescriptions(released.file, sources.file, released.ref)
  const { diff, errors: unused } = assessChanges(comparison, options)
  const isTooLow = compareVersions(version, diff.needed) < 0
  const expected = isTooLow ? diff.needed : version
  const removals = diff.changes.flatMap((change) => checkRemoval(change, today))
  const storedValuesFile = join(dirname(sources.file), 'stored-values.yaml')
  const isRejected = isTooLow && options.version !== 'needed'
  return {
    // Errors that are fixed by undoing a change come before the version, which may then be high enough.
    errors: [
      ...unused.map((text) => toError(text)),
      ...removals,
      ...overdue,
      ...(isRejected ? [describeVersion(sources, diff, version)] : []),
      ...checkStoredValues(diff, expected, storedValuesFile),
    ],
    notes: [...diff.accepted.map(describeAccepted), ...notes],
    version: options.version === 'needed' ? expected : version,
    diff,
  }
}

function toError(problem: string, fix?: string): GateError {
  if (fix === undefined) {
    return { message: problem, problem, details: [] }
  }
  return { message: `${problem}; ${fix}`, problem, fix, details: [] }
}

function describeVersion(sources: Sources, diff: ContractDiff, version: string): GateError {
  const { base, needed, bump, breakingNote } = diff
  const changes = countedChanges(diff.changes)
  const isNoted = breakingNote !== undefined && !changes.some(({ breaking }) => breaking)
  const reason = isNoted
    ? `CHANGELOG.md has the heading '${breakingNote}'`
    : `the changes since ${base.ref} (${base.version}) need it`
  const why = bump === 'none' ? `${base.ref} has it` : reason
  const { at, key } = sources.versionLocation

  const weightiest = changes.filter((change) => change.bump === bump)
  const listedChanges = weightiest.slice(0, shownChanges)
  const more = changes.length - listedChanges.length
  const error = toError(
    `${at} ${key} is ${version} and must be at least ${needed}, because ${why}`,
    `write version: ${needed}`,
  )
  return {
    ...error,
    message: `${error.message}, then run: npm run generate`,
    details: [
      ...listedChanges.map((change) => `${change.bump}: ${describe(change)} [${change.id}]`),
      ...(more > 0 ? [`and ${more} more; all are shown by: npm run diff`] : []),
    ],
  }
}

// No version allows for a removal before its day: consumers have planned by the day that was announced.
function checkRemoval(change: Change, today: Date): readonly GateError[] {
  const { sunset, place } = change
  if (sunset === undefined) {
    return []
  }
  if (sunset === 'never announced') {
    const problem = `${describe(change)} It was never announced`
    const keywords = 'deprecated, x-deprecated-at, x-sunset and x-replaced-by'
    return [toError(problem, `put ${place} back with ${keywords}, and remove it after that day`)]
  }
  // A text that is no day is `NaN`, which is never less than today; the linter rejects it, too.
  if (Date.parse(sunset) <= today.getTime()) {
    return []
  }
  const problem = `${describe(change)} It must not be removed before ${sunset}`
  return [toError(problem, `put ${place} back until ${sunset}`)]
}

/** Looks for sunsets that are past or near; days begin at midnight in UTC, as in the header. */
function checkSunsets(sources: Sources, today: Date) {
  const overdue: GateError[] = []
  const notes: string[] = []
  for (const node of sources.findAll('x-sunset')) {
    // A property may have the name of the keyword: its value is a schema.
    if (isObject(node.value)) {
      continue
    }

    const sunset = String(node.value)
    const name = nameOf(sources, node)
    const days = Math.ceil((Date.parse(sunset) - today.getTime()) / dayLength)
    if (days <= 0 || Number.isNaN(days)) {
      const at = sources.locationOf(node.file, node.pointer)
      overdue.push(
        toError(
          `${at} ${name} was to be removed on ${sunset} and is still there`,
          `remove ${name} from the spec, or give its consumers more time with a later x-sunset`,
        ),
      )
    } else if (days <= reminderDays) {
      const distance = days === 1 ? '1 day' : `${days} days`
      notes.push(`${name} will be removed on ${sunset}, in ${distance}; notify its consumers`)
    }
  }
  return { overdue, notes }
}

// An operation is known by its path; what is in it, or shared, by its own name first.
function nameOf(sources: Sources, { file, pointer }: Located): string {
  const node = pointer.slice(0, pointer.lastIndexOf('/'))
  const place = toPlace(hasPlaces(sources, file) ? node : '#', file)
  const subject = toSubject(node, file, (at) => sources.valueAt({ file, pointer: at }))
  return subject === place ? place : `${subject} (${place})`
}

/**
 * Asks what was done about stored values wherever responses now promise more than before: no check
 * can see what the store contains.
 */
function checkStoredValues(
  { changes }: ContractDiff,
  version: string,
  file: string,
): readonly GateError[] {
  const narrowed = changes.filter(({ narrowsResponses }) => narrowsResponses === true)
  const places = new Set(narrowed.map(({ place }) => place))
  const missing = findMissingNotes(file, version, [...places])
  if (missing === undefined) {
    return []
  }
  const changesWithoutNotes = narrowed.filter(({ place }) => missing.places.includes(place))
  const errors = changesWithoutNotes.map((change) =>
    toError(
      `${describe(change)} Values that were stored before may not comply, and would become a 500`,
      `migrate the stored values of ${change.place}, then write what was done in ${shortPath(file)}`,
    ),
  )
  const { message, snippet } = missing
  return [...errors, { ...toError(message), snippet }]
}

function describeAccepted(change: AcceptedChange): string {
  return `accepted: ${describe(change)} [${change.id}] ${change.reason}`
}

function describe({ file, line, place, what }: Change): string {
  return `${file}:${line} ${what.includes(place) ? what : `${place}: ${what}`}`
}
