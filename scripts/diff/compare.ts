import { resolve } from 'node:path'
import { toObject } from '../pipeline/description.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { methods } from '../pipeline/operation-places.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { runRedocly } from '../pipeline/redocly.ts'
import type { Change, ContractDiff, Step } from './contract-diff.ts'
import { toChild, toPlace, toSegments, toSubject, valueAt } from './pointer.ts'
import { toRefPath, versionOf } from './released.ts'
import { type Located, Sources } from './sources.ts'
import { type Difference, judge } from './verdicts.ts'
import { stepVersion } from './version.ts'

const steps: readonly Step[] = ['none', 'patch', 'minor', 'major']

/** Two descriptions, as their files have them. */
interface Pair {
  readonly base: Sources
  readonly current: Sources
  /** The first file of each. */
  readonly files: readonly [base: string, current: string]
  readonly ref: string
}

/** One change of the report of `redocly diff --format json`. */
interface Reported {
  readonly path: string
  readonly typeName: string
  readonly kind: Difference['kind']
  readonly impact: Change['step']
  readonly property?: string
  readonly verdicts: readonly { readonly message: string }[]
  readonly base?: Side
  readonly revision?: Side
}

interface Side extends Located {
  readonly line: number
}

/** Compares two files of a description; `ref` is what the first one was read from. */
export async function compareDescriptions(
  base: string,
  current: string,
  ref = shortPath(base),
): Promise<ContractDiff> {
  const files = [resolve(base), resolve(current)] as const
  const pair = { base: new Sources(files[0]), current: new Sources(files[1]), files, ref }
  const changes = await findChanges(pair)
  const step = changes.map((change) => change.step).reduce<Step>(greater, 'none')
  const version = versionOf(pair.base.read(files[0]))
  return {
    step,
    base: { version, ref },
    current: { version: versionOf(pair.current.read(files[1])) },
    needed: stepVersion(version, step),
    changes: changes.toSorted((one, other) => steps.indexOf(other.step) - steps.indexOf(one.step)),
  }
}

/** Finds what changed; what is equal once `allOf` is merged is only written in another way. */
async function findChanges(pair: Pair): Promise<readonly Change[]> {
  const judged = await judgeAll(pair, 'redocly.yaml')
  const mayBeRewriting = judged.some(({ change, difference: { kind, typeName, property } }) => {
    const isSchema = kind !== 'modified' && /^(?:Schema|AllOf)/.test(typeName)
    return change.breaking && (isSchema || property === 'required')
  })
  const changes = judged.map(({ change }) => change)
  if (!mayBeRewriting || [pair.base, pair.current].every((each) => !each.has('allOf')))
    return changes
  const merged = await judgeAll(pair, 'redocly-flat.yaml')
  const greatest = merged.map(({ change }) => change.step).reduce<Step>(greater, 'patch')
  return changes.map((change) => {
    if (steps.indexOf(change.step) <= steps.indexOf(greatest)) return change
    const consequence = 'It is only written in another way; requests and responses are as before.'
    const { what, place, file, line } = change
    return { breaking: false, step: 'patch', what, consequence, place, file, line }
  })
}

async function judgeAll(pair: Pair, configuration: string) {
  const reported = await runDiff(pair, projectPath('scripts/diff', configuration))
  const judged = reported
    .filter((each) => !isInherited(each))
    .flatMap((each) => splitName(pair, each))
    .flatMap(splitContainer)
    .flatMap((each) => {
      const difference = toDifference(pair, each)
      const { step, ...verdict } = judge(difference)
      if (step === 'none') return []
      const change = {
        breaking: step === 'major',
        step,
        ...verdict,
        ...placeOf(pair, each),
      }
      return [{ difference, change }]
    })
  return [
    ...new Map(judged.map((each) => [`${each.change.place} ${each.change.what}`, each])).values(),
  ]
}

async function runDiff({ files }: Pair, configuration: string): Promise<readonly Reported[]> {
  const options = ['--format=json', '--fail-on=none', '--config', configuration]
  const { output, errors } = await runRedocly(['diff', ...files, ...options])
  try {
    const absolute = (side: Side | undefined) => side && { ...side, file: resolve(side.file) }
    return JSON.parse(output).changes.map((each: Reported) => ({
      ...each,
      ...(each.base && { base: absolute(each.base) }),
      ...(each.revision && { revision: absolute(each.revision) }),
    }))
  } catch {
    throw new DescriptionError([`redocly diff failed: ${errors.trim()}`])
  }
}

// What is shared by all operations, or by those of a path, is compared at each operation.
function isInherited({ kind, path, typeName }: Reported): boolean {
  if (typeName === 'SecurityRequirementList') return path === '#/security'
  return kind !== 'modified' && /^#\/paths\/[^/]+\/(?:\$ref\/)?parameters(?:\/|$)/.test(path)
}

/** Splits a new name into what was removed and what was added, unless requests do not contain it. */
function splitName(pair: Pair, reported: Reported): readonly Reported[] {
  const { property, base, revision, typeName } = reported
  if (property !== 'key' || base === undefined || revision === undefined) return [reported]
  const isComponent = toSegments(base.pointer).length === 3 && base.pointer.startsWith('#/comp')
  const isSamePath = typeName === 'PathItem' && shape(base.pointer) === shape(revision.pointer)
  if (isComponent || isSamePath) return [reported]
  const { property: _, base: __, revision: ___, ...rest } = reported
  const before = { ...base, value: pair.base.find(base.file, base.pointer).value }
  const after = { ...revision, value: pair.current.find(revision.file, revision.pointer).value }
  return [
    { ...rest, kind: 'removed', base: before },
    { ...rest, kind: 'added', impact: 'minor', verdicts: [], revision: after },
  ]
}

function shape(pointer: string): string {
  return pointer.replaceAll(/\{[^}]*\}/g, '{}')
}

/** What is reported as a whole where all of it came or went, and the type of its entries. */
const containers: Readonly<Record<string, string>> = {
  Paths: 'PathItem',
  PathItem: 'Operation',
  ParameterList: 'Parameter',
  Responses: 'Response',
  HeadersMap: 'Header',
  MediaTypesMap: 'MediaType',
  SchemaProperties: 'Schema',
}

function splitContainer(reported: Reported): readonly Reported[] {
  const { kind, typeName, base, revision } = reported
  const side = base ?? revision
  const entryType = containers[typeName]
  if (kind === 'modified' || side === undefined || entryType === undefined) return [reported]
  return Object.entries(toObject(side.value)).flatMap(([key, value]) => {
    if (entryType === 'Operation' && !methods.includes(key)) return []
    const entry = { ...side, pointer: toChild(side.pointer, key), value }
    const path = toChild(reported.path, key)
    const sides = base === undefined ? { revision: entry } : { base: entry }
    return splitContainer({ ...reported, ...sides, typeName: entryType, path })
  })
}

function toDifference(pair: Pair, reported: Reported): Difference {
  const { kind, path, typeName, property = '', impact, verdicts, base, revision } = reported
  const { side, sources } = sideOf(pair, reported)
  // A property is modified at its own pointer; its node is what is described.
  const isInside = kind === 'modified' && toSegments(side.pointer).at(-1) === property
  const pointer = isInside ? side.pointer.slice(0, side.pointer.lastIndexOf('/')) : side.pointer
  const find = (at: string) =>
    kind !== 'modified' && at === pointer ? side.value : sources.find(side.file, at).value
  return {
    ...{ kind, typeName, property, pointer, impact },
    subject: toSubject(pointer, find),
    before: base?.value,
    after: revision?.value,
    directions: path.startsWith('#/components/')
      ? new Set()
      : new Set([
          ...(base ? pair.base.directionsOf(base.file, base.pointer) : []),
          ...(revision ? pair.current.directionsOf(revision.file, revision.pointer) : []),
        ]),
    messages: verdicts.map(({ message }) => message),
  }
}

function sideOf(pair: Pair, { kind, base, revision }: Reported) {
  const isBase = kind === 'removed' || revision === undefined
  const side = isBase ? base : revision
  if (side === undefined) throw new Error('redocly diff reported a change without a location')
  return { side, sources: isBase ? pair.base : pair.current }
}

function placeOf(pair: Pair, reported: Reported): Pick<Change, 'place' | 'file' | 'line'> {
  const { side } = sideOf(pair, reported)
  const isRoot = pair.files.includes(side.file)
  const pointer =
    isRoot && reported.typeName !== 'SecurityRequirement' ? side.pointer : reported.path
  return {
    place: securityPlace(pair, reported) ?? toPlace(pointer),
    file: toRefPath(side.file, pair.ref),
    line: side.line,
  }
}

// An operation that states no security in either description has that of all.
function securityPlace(
  { base, current, files }: Pair,
  { typeName, path }: Reported,
): string | undefined {
  if (typeName !== 'SecurityRequirement') return undefined
  const own = [...toSegments(path).slice(0, 3), 'security']
  const isOwn = [base.read(files[0]), current.read(files[1])].some(
    (root) => valueAt(root, own) !== undefined,
  )
  return isOwn ? undefined : 'security'
}

function greater(one: Step, other: Step): Step {
  return steps.indexOf(one) < steps.indexOf(other) ? other : one
}
