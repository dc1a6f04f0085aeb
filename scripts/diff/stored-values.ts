import { existsSync } from 'node:fs'
import { isMap, isScalar, LineCounter, parseDocument, stringify } from 'yaml'
import { isObject, toObject } from '../../server/description/json.ts'
import { shortPath } from '../pipeline/project.ts'
import { SourceFile } from '../pipeline/source-file.ts'
import { isVersion } from '../pipeline/version.ts'

/** What `spec/stored-values.yaml` lacks. */
interface MissingNotes {
  readonly places: readonly string[]
  /** What the file has, and what to do with the snippet. */
  readonly message: string
  /** The lines to write, as YAML. */
  readonly snippet: string
}

/** Stands for what only a person can write. */
const placeholder = 'what was done with the stored values'

/**
 * Looks in `spec/stored-values.yaml` for a text under each place, under the version that narrows it;
 * returns undefined if it has them all.
 */
export function findMissingNotes(
  file: string,
  version: string,
  places: readonly string[],
): MissingNotes | undefined {
  const source = existsSync(file) ? new SourceFile(file) : undefined
  const { text, value } = source ?? { text: undefined, value: undefined }
  const entry = toObject(value)[version]
  const written = Object.entries(toObject(entry)).filter(([, note]) => isNote(note))
  const writtenPlaces = new Set(written.map(([place]) => place))
  const missing = places.filter((place) => !writtenPlaces.has(place))
  if (missing.length === 0) {
    return undefined
  }

  const added = missing.map((place) => [place, placeholder] as const)
  const notes = Object.fromEntries([...written, ...added])
  const snippet = stringify({ [version]: notes }, { lineWidth: 0 }).trimEnd()
  const name = shortPath(file)
  if (text === undefined) {
    return { places: missing, message: `${name} does not exist; write into it:`, snippet }
  }
  const read = { name, value, version, lineOf: createLineFinder(text) }
  const message = entry === undefined ? describeFile(read) : describeEntry(read, entry, missing)
  return { places: missing, message, snippet }
}

/** A file that was read for the notes of a version. */
interface ReadFile {
  readonly name: string
  readonly value: unknown
  readonly version: string
  readonly lineOf: (key: string) => number
}

function isNote(note: unknown): boolean {
  return typeof note === 'string' && note.trim() !== ''
}

/** Describes an entry of the version that lacks some places, and what to do. */
function describeEntry(
  { name, version, lineOf }: ReadFile,
  entry: unknown,
  missing: readonly string[],
): string {
  const faults = isObject(entry)
    ? missing.map((place) => `${nameKind(entry[place])} under ${place}`)
    : [nameKind(entry)]
  const expected = isObject(entry) ? 'a text' : 'a text for each place'
  const has = `${faults.join(' and ')} instead of ${expected}`
  return `${name}:${lineOf(version)} under ${version}, it has ${has}; write in its place:`
}

/** Describes a file that has no entry of the version, and what to do. */
function describeFile({ name, value, version, lineOf }: ReadFile): string {
  if (value === undefined || value === null) {
    return `${name} is empty; write into it:`
  }
  if (!isObject(value)) {
    return `${name} has ${nameKind(value)} instead of versions; write in its place:`
  }
  const keys = Object.keys(value)
  const wrong = keys.find((key) => !isVersion(key))
  if (wrong !== undefined) {
    return `${name}:${lineOf(wrong)} has ${wrong} where a version is expected; write in its place:`
  }
  return `${name} has ${keys.join(', ')}, but not ${version}; add at its end:`
}

/** Names the kind of a value of YAML. */
function nameKind(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    return 'nothing'
  }
  if (Array.isArray(value)) {
    return 'a list'
  }
  if (isObject(value)) {
    return 'a map'
  }
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}

/** Returns a function that finds the line of a key at the top of a document. */
function createLineFinder(text: string): (key: string) => number {
  const lines = new LineCounter()
  const { contents } = parseDocument(text, { lineCounter: lines })
  return (key) => {
    const items = isMap(contents) ? contents.items : []
    const keys = items.map((item) => item.key)
    const keyNode = keys.find((node) => isScalar(node) && String(node.value) === key)
    return lines.linePos(keyNode?.range?.[0] ?? 0).line
  }
}
