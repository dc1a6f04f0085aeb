import { pointAt, pointerKeys, toChild, toObject, toPointer } from '../pipeline/description.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { methods } from '../pipeline/operation-entries.ts'
import { runRedocly } from '../pipeline/programs.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { type Located, Sources } from '../pipeline/sources.ts'
import {
  type Bump,
  bumpVersion,
  type Change,
  type ContractDiff,
  isVersion,
} from './contract-diff.ts'
import { toPlace, toSubject } from './pointer.ts'
import { toRefPath } from './released.ts'
import { type Relocation, withRelocations } from './relocations.ts'
import { judge } from './verdicts.ts'

const bumps: readonly Bump[] = ['major', 'minor', 'patch', 'none']

/** Two descriptions, as they are written in their files, and what the first was read from. */
interface Pair {
  readonly base: Sources
  readonly current: Sources
  readonly ref: string
}

/** One change of the report of `redocly diff --format json`. */
interface Reported {
  readonly path: string
  readonly typeName: string
  readonly kind: 'added' | 'removed' | 'modified'
  readonly impact: Change['bump']
  readonly property?: string
  readonly verdicts: readonly { readonly message: string }[]
  readonly base: Side | undefined
  readonly revision: Side | undefined
}

interface Side extends Located {
  readonly line: number
}

/** Compares two files of a description; `ref` is what the first one was read from. */
export async function compareDescriptions(
  base: string,
  current: string,
  ref = shortPath(base),
  signal?: AbortSignal,
): Promise<ContractDiff> {
  const pair = { base: new Sources(base), current: new Sources(current), ref }
  const wrong = [pair.base, pair.current].find(({ version }) => !isVersion(version))
  if (wrong !== undefined) {
    const { file, version } = wrong
    const what = `info.version of ${shortPath(file)} is "${version}"`
    throw new DescriptionError([`${what}; write three numbers, such as 1.2.0`])
  }
  const changes = await findChanges(pair, signal)
  const bump = bumps.find((each) => changes.some((change) => change.bump === each)) ?? 'none'
  const { version } = pair.base
  return {
    bump,
    base: { version, ref },
    current: { version: pair.current.version },
    needed: bumpVersion(version, bump),
    changes: changes.toSorted((one, other) => bumps.indexOf(one.bump) - bumps.indexOf(other.bump)),
  }
}

async function findChanges(pair: Pair, signal?: AbortSignal): Promise<readonly Change[]> {
  const reported = await runDiff(pair, signal)
  const entries = reported
    .filter((each) => !isInherited(each))
    .flatMap((each) => splitName(pair, each))
    .flatMap(splitContainer)
  const located = withRelocations(pair, withoutDeprecations(pair, entries))
  const changes = located.flatMap((each) => toChanges(pair, each, each.relocation))
  return [...new Map(changes.map((each) => [`${each.place} ${each.what}`, each])).values()]
}

async function runDiff(
  { base, current }: Pair,
  signal?: AbortSignal,
): Promise<readonly Reported[]> {
  const configuration = projectPath('scripts/diff/redocly.yaml')
  const options = ['--format=json', '--fail-on=none', '--config', configuration]
  const { output, errors } = await runRedocly(['diff', base.file, current.file, ...options], signal)
  const resolved = (side: Side | undefined) => side && { ...side, file: projectPath(side.file) }
  try {
    const changes: readonly Reported[] = JSON.parse(output).changes
    return changes.map((each) => {
      return { ...each, base: resolved(each.base), revision: resolved(each.revision) }
    })
  } catch {
    // Redocly prints a stack below what it does not expect, such as a version that it does not know.
    const [, reason = errors.trim().split('\n')[0]] = /^\w*Error: (.*)/m.exec(errors) ?? []
    const advice = 'what is wrong in the description, and where, is printed by: npm run generate'
    throw new DescriptionError([`redocly diff failed: ${reason}; ${advice}`])
  }
}

// What is shared by all operations, or by those of a path, is compared at each operation.
function isInherited({ kind, path, typeName }: Reported): boolean {
  if (typeName === 'SecurityRequirementList') return path === '#/security'
  return kind !== 'modified' && /^#\/paths\/[^/]+\/(?:\$ref\/)?parameters(?:\/|$)/.test(path)
}

/** Splits a new name into what was removed and what was added, unless requests are the same. */
function splitName(pair: Pair, reported: Reported): readonly Reported[] {
  const { property = '', base, revision, typeName } = reported
  const isParameter = typeName === 'Parameter' && /^(?:name|in)$/.test(property)
  if (base === undefined || revision === undefined) return [reported]
  if (property !== 'key' && !isParameter) return [reported]
  const toNode = (sources: Sources, side: Side): Side => {
    const pointer = isParameter ? side.pointer.replace(/\/[^/]*$/, '') : side.pointer
    return { ...side, pointer, value: sources.find(side.file, pointer).value }
  }
  const removed = toNode(pair.base, base)
  const added = toNode(pair.current, revision)
  // Names of variables of a path are not sent.
  const isVariable = [removed, added].some(({ value }) => toObject(value)['in'] === 'path')
  if (isParameter ? isVariable : isSameKey(removed, added, typeName)) return [reported]
  const whole = { ...reported, property: '' }
  return [
    { ...whole, kind: 'removed', base: removed, revision: undefined },
    { ...whole, kind: 'added', impact: 'minor', verdicts: [], base: undefined, revision: added },
  ]
}

function isSameKey(base: Side, revision: Side, typeName: string): boolean {
  if (/^#\/components\/[^/]+\/[^/]+$/.test(base.pointer)) return true
  const [before, after] = [base, revision].map((side) =>
    side.pointer.replaceAll(/\{[^{}]*\}/g, '{}'),
  )
  return typeName === 'PathItem' && before === after
}

/** The nodes that are reported as a whole if all of their entries were added or removed, with the type of these. */
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
    const sides = { base: base && entry, revision: revision && entry }
    return splitContainer({ ...reported, ...sides, typeName: entryType, path })
  })
}

/** Omits the headers of a deprecation that is new or was taken back: they follow from the deprecation. */
function withoutDeprecations({ current }: Pair, entries: readonly Reported[]): readonly Reported[] {
  const known = new Set(entries.map(({ kind, path }) => `${kind} ${path}`))
  return entries.filter(({ kind, path }) => {
    const [, headers] = /^(.*\/headers\/)(?:Deprecation|Sunset|Link)$/.exec(path) ?? []
    if (!known.has(`${kind} ${headers}Deprecation`)) return true
    // A list has its Link for the next page, too.
    const operation = pointAt(current.root, toPointer(pointerKeys(path).slice(0, 3)))
    return path.endsWith('/200/headers/Link') && 'x-paginated-by' in toObject(operation)
  })
}

/** Returns the change that a report is about, with its verdict; none if it means nothing. */
function toChanges(
  pair: Pair,
  reported: Reported,
  relocation: Relocation | undefined,
): readonly Change[] {
  const { kind, path, typeName, property = '', impact, verdicts, base, revision } = reported
  const sources = kind === 'removed' || revision === undefined ? pair.base : pair.current
  const side = sources === pair.base ? base : revision
  if (side === undefined) throw new Error('redocly diff reported a change without a location')
  // A property is modified at its own pointer; its node is what is described.
  const isInside = kind === 'modified' && pointerKeys(side.pointer).at(-1) === property
  const pointer = isInside ? side.pointer.slice(0, side.pointer.lastIndexOf('/')) : side.pointer
  const find = (at: string) =>
    kind !== 'modified' && at === pointer ? side.value : sources.find(side.file, at).value
  const directions = new Set([
    ...(base ? pair.base.directionsOf(base.file, base.pointer) : []),
    ...(revision ? pair.current.directionsOf(revision.file, revision.pointer) : []),
  ])
  const verdict = judge({
    kind,
    typeName,
    property,
    pointer,
    impact,
    subject: toSubject(pointer, side.file, find),
    before: base?.value,
    after: revision?.value,
    directions: path.startsWith('#/components/') ? new Set() : directions,
    messages: verdicts.map(({ message }) => message),
    relocation,
  })
  if (verdict === undefined) return []
  const place = placeOf(pair, reported, side)
  const file = toRefPath(side.file, pair.ref)
  return [{ breaking: verdict.bump === 'major', ...verdict, place, file, line: side.line }]
}

function placeOf({ base, current }: Pair, { typeName, path }: Reported, side: Side): string {
  const { file, pointer } = side
  const isRoot = file === base.file || file === current.file
  if (typeName !== 'SecurityRequirement') return toPlace(isRoot ? pointer : path, file)
  // An operation that states no security in either description has that of all.
  const own = toPointer([...pointerKeys(path).slice(0, 3), 'security'])
  const isOwn = [base.root, current.root].some((root) => pointAt(root, own) !== undefined)
  return isOwn ? toPlace(path, file) : 'security'
}
