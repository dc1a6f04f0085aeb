import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type FileChanges, filesOf } from './file-changes.ts'

/** Which files import which, kept up to date as they change. */
export interface ImportGraph {
  /** The changed files, and all that see them through imports; every file where one speaks to all. */
  readonly touched: (files: readonly string[], changes: FileChanges) => Promise<ReadonlySet<string>>
}

interface Source {
  readonly imports: readonly string[]
  /** Whether it declares what is seen without an import. */
  readonly isGlobal: boolean
}

const specifier = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g
const global = /^\s*declare (?:global|module)\b/m

/** Makes a graph that reads each file when it is first asked for, and again when it changed. */
export function createImportGraph(): ImportGraph {
  const sources = new Map<string, Source>()

  return {
    async touched(files, changes) {
      const changed = filesOf(changes)
      const before = changed.map((file) => sources.get(file))
      for (const file of changed) sources.delete(file)
      const unread = files.filter((file) => !sources.has(file))
      const read = await Promise.all(unread.map(readSource))
      for (const [index, file] of unread.entries()) sources.set(file, read[index] ?? nothing)
      const after = changed.map((file) => sources.get(file))
      if ([...before, ...after].some((source) => source?.isGlobal)) return new Set(files)
      return closure(changed, toUsers(sources))
    },
  }
}

const nothing: Source = { imports: [], isGlobal: false }

async function readSource(file: string): Promise<Source> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const imports = [...text.matchAll(specifier)].map(([, path = '']) => resolve(dirname(file), path))
  return { imports, isGlobal: global.test(text) }
}

function toUsers(sources: ReadonlyMap<string, Source>): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>()
  for (const [file, { imports }] of sources) {
    for (const imported of imports) users.set(imported, [...(users.get(imported) ?? []), file])
  }
  return users
}

function closure(
  from: readonly string[],
  users: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set(from)
  // What is added while it runs is looked at as well.
  for (const file of found) for (const user of users.get(file) ?? []) found.add(user)
  return found
}
