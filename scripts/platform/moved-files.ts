import { dirname, join, normalize, relative } from 'node:path'
import { runGit } from '../pipeline/git.ts'

/** The new path of each file that was renamed between two trees; undefined for one that was deleted. */
export type MovedFiles = ReadonlyMap<string, string | undefined>

/** Finds the files that were renamed or deleted between two trees of git. */
export async function findMovedFiles(older: string, newer: string): Promise<MovedFiles> {
  const args = ['diff-tree', '-r', '-z', '-M', '--diff-filter=RD', '--name-status', older, newer]
  const fields = (await runGit(args)).split('\0').values()
  const moved = new Map<string, string | undefined>()
  for (const status of fields) {
    if (status === '') {
      continue
    }

    const from = fields.next().value ?? ''
    const to = status.startsWith('R') ? fields.next().value : undefined
    moved.set(from, to)
  }
  return moved
}

const imported = /(?:from|import) *\(?'(\.{1,2}\/[^']+)'/g

/**
 * Returns a line for each import of a module that was renamed or deleted, in a file with this path and
 * text: the file with the line, and what to write instead.
 */
export function adviseOnImports(path: string, text: string, moved: MovedFiles): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const paths = Array.from(line.matchAll(imported), ([, specifier = '']) => specifier)
    const gone = paths.filter((specifier) => moved.has(normalize(join(dirname(path), specifier))))
    return gone.map((specifier) => `${path}:${index + 1} ${adviceFor(path, specifier, moved)}`)
  })
}

function adviceFor(path: string, specifier: string, moved: MovedFiles): string {
  const target = normalize(join(dirname(path), specifier))
  const renamed = moved.get(target)
  if (renamed === undefined) {
    return `imports ${target}, which the platform no longer has; docs/platform-changes.md says what replaces it`
  }
  const written = relative(dirname(path), renamed)
  const newSpecifier = written.startsWith('.') ? written : `./${written}`
  return `imports ${target}, which is ${renamed} now; write '${newSpecifier}'`
}
