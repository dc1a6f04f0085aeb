import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, posix, relative, resolve, sep } from 'node:path'
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
} from 'yaml'
import { decodeIfValid } from '../../server/description/pointer.ts'
import { platformName } from '../lint/platform-file.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { shortPath } from '../pipeline/project.ts'
import { releasedName, serviceFileName } from '../pipeline/service-file.ts'

/** A file of a given description, and where `init` puts it. */
export interface PlacedFile {
  /** Where it was given. */
  readonly original: string
  /** Its path below `spec/`. */
  readonly path: string
  readonly content: Buffer | string
  /** What was changed in it: references to files that have another place now. */
  readonly changes: readonly string[]
}

/** The name of the first file of a description below `spec/`. */
const entryName = 'openapi.yaml'

/** The files below `spec/` that are not the description's own. */
const takenNames = [platformName, serviceFileName, releasedName]

/** A reference to another file, as it is written in a text. */
interface FileReference {
  /** The file that it leads to. */
  readonly target: string
  /** The part before `#`, as it is written. */
  readonly uri: string
  readonly node: Scalar
}

/**
 * Reads the files of a description, which it refers to from its first one, and places them below `spec/` as
 * they are. Only references between files that do not keep their place to each other are changed.
 */
export function readGivenFiles(entry: string): readonly PlacedFile[] {
  const contents = new Map<string, Buffer>()
  const references = new Map<string, readonly FileReference[]>()
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (contents.has(file)) {
      continue
    }
    const content = readFileSync(file)
    const referencesOfFile = findReferences(file, content)
    contents.set(file, content)
    references.set(file, referencesOfFile)
    waiting.push(...referencesOfFile.map(({ target }) => target))
  }

  const paths = placeFiles(entry, [...contents.keys()])
  rejectTakenNames(paths)
  return Array.from(contents, ([original, content]) => {
    const path = paths.get(original) ?? ''
    return { original, path, ...moveReferences(path, content, references.get(original), paths) }
  })
}

/** Returns the path below `spec/` of each file: as they are in the folder that holds all of them. */
function placeFiles(entry: string, files: readonly string[]): ReadonlyMap<string, string> {
  const folder = commonFolder(files)
  const paths = files.map((file) => {
    const path = file === entry ? entryName : relative(folder, file).replaceAll(sep, '/')
    return [file, path] as const
  })
  return new Map(paths)
}

function rejectTakenNames(paths: ReadonlyMap<string, string>): void {
  const entries = [...paths].filter(([, path], index) => {
    return index > 0 && [...takenNames, entryName].includes(path)
  })
  if (entries.length === 0) {
    return
  }

  const lines = entries.map(([file, path]) => {
    return `${shortPath(file)}: spec/${path} is a file of the platform, or the first one of the description; rename it, and what refers to it`
  })
  throw new DescriptionError(['nothing was changed; run init again after this:', ...lines])
}

/** Returns the innermost folder that holds all files. */
function commonFolder(files: readonly string[]): string {
  const isAbove = (folder: string) => files.every((file) => file.startsWith(`${folder}${sep}`))
  let folder = dirname(files[0] ?? '')
  while (!isAbove(folder) && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  return folder
}

/** Returns the references of a file of YAML or JSON that lead to other files, which exist. */
function findReferences(file: string, content: Buffer): readonly FileReference[] {
  if (!/^\.(?:ya?ml|json)$/i.test(extname(file))) {
    return []
  }

  const references: FileReference[] = []
  const addReference = (node: Scalar): void => {
    const [uri = ''] = String(node.value).split('#')
    const hasScheme = /^[a-z][a-z\d+.-]*:/i.test(uri)
    if (uri === '' || hasScheme) {
      return
    }
    const target = resolve(dirname(file), decodeIfValid(uri))
    if (existsSync(target) && statSync(target).isFile()) {
      references.push({ target, uri, node })
    }
  }

  const { contents } = parseDocument(content.toString('utf8'), { strict: false, logLevel: 'error' })
  visitReferences(contents, addReference)
  return references
}

/** Calls a function with every text that may refer to a file: a `$ref`, an `externalValue`, a value of a mapping. */
function visitReferences(node: unknown, visit: (reference: Scalar) => void, holder = ''): void {
  if (isSeq(node)) {
    for (const item of node.items) {
      visitReferences(item, visit)
    }
  }
  if (!isMap(node)) {
    return
  }
  for (const { key, value } of node.items) {
    const name = String(isScalar(key) ? key.value : key)
    const mayRefer = name === '$ref' || name === 'externalValue' || holder === 'mapping'
    if (mayRefer && isScalar(value) && typeof value.value === 'string') {
      visit(value)
    } else if (isNode(value) && !isAlias(value)) {
      visitReferences(value satisfies Node, visit, name)
    }
  }
}

/** Returns the content of a file at its new path, with the references that would lead elsewhere from there. */
function moveReferences(
  path: string,
  content: Buffer,
  references: readonly FileReference[] = [],
  paths: ReadonlyMap<string, string>,
): Pick<PlacedFile, 'content' | 'changes'> {
  const changes: string[] = []
  let text = content.toString('utf8')
  // References are replaced from the end of the text, so that the ranges of those before stay right.
  for (const { target, uri, node } of references.toReversed()) {
    const newTarget = paths.get(target) ?? ''
    const targetOfUri = posix.join(dirname(path), decodeIfValid(uri))
    if (targetOfUri === newTarget) {
      continue
    }

    const [start = 0, end = 0] = node.range ?? []
    const newUri = toUri(relative(dirname(path), newTarget))
    const written = text.slice(start, end)
    text = text.slice(0, start) + written.replace(uri, () => newUri) + text.slice(end)
    changes.push(`${uri} is ${newUri} now`)
  }
  return changes.length === 0
    ? { content, changes }
    : { content: text, changes: changes.toReversed() }
}

function toUri(path: string): string {
  const encoded = encodeURI(path.replaceAll(sep, '/')).replaceAll('#', '%23').replaceAll('?', '%3F')
  return encoded.includes('/') ? encoded : `./${basename(encoded)}`
}
