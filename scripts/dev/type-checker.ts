import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
// The native compiler as a process that stays and keeps what did not change. Its interface may
// change with its version, which is pinned.
import { API, type Diagnostic, type Snapshot } from 'typescript7/unstable/async'
import { projectPath } from '../pipeline/project.ts'
import type { FileChanges } from './file-changes.ts'
import type { CodeFault } from './loop-state.ts'

/** A type check of the project that gets faster after the first time. */
export interface TypeChecker {
  /** Checks the whole project, given how its files differ from those of the last check. */
  readonly check: (changes: FileChanges) => Promise<readonly CodeFault[]>
  readonly stop: () => Promise<void>
}

const configuration = projectPath('tsconfig.json')

/** Makes a type check under the project's own settings. */
export function createTypeChecker(): TypeChecker {
  const api = new API({ cwd: projectPath() })
  let last: Snapshot | undefined
  // One after the other: each begins with what the one before it left.
  let turn: Promise<readonly CodeFault[]> = Promise.resolve([])

  async function open({ changed, created, deleted }: FileChanges): Promise<Snapshot> {
    const fileChanges = { changed: [...changed], created: [...created], deleted: [...deleted] }
    const first = { openProjects: [configuration] }
    const snapshot = await api.updateSnapshot(last === undefined ? first : { fileChanges })
    await last?.dispose()
    last = snapshot
    return snapshot
  }

  async function checkNow(changes: FileChanges): Promise<readonly CodeFault[]> {
    const program = (await open(changes)).getProject(configuration)?.program
    if (program === undefined) throw new Error(`There is no project ${configuration}.`)
    const syntax = await program.getSyntacticDiagnostics()
    // Of what cannot be parsed nothing else is worth saying.
    const found = syntax.length > 0 ? syntax : await program.getSemanticDiagnostics()
    return toFaults(found)
  }

  return {
    check(changes) {
      turn = turn.catch(() => undefined).then(() => checkNow(changes))
      return turn
    },
    stop: () => api.close(),
  }
}

async function toFaults(diagnostics: readonly Diagnostic[]): Promise<readonly CodeFault[]> {
  const texts = new Map<string, string>()
  const faults: CodeFault[] = []
  for (const { fileName, pos, text } of diagnostics) {
    if (fileName === undefined) continue
    const content = texts.get(fileName) ?? (await readFile(fileName, 'utf8').catch(() => ''))
    texts.set(fileName, content)
    const before = content.slice(0, pos).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    faults.push({ file: nameOf(fileName), line: before.length, column, message: text })
  }
  return faults.sort(byUrgency)
}

function nameOf(file: string): string {
  return relative(projectPath(), file)
}

// Tests come last: most of them are mended by mending what they test.
function byUrgency(a: CodeFault, b: CodeFault): number {
  const isTest = ({ file }: CodeFault) => Number(file.startsWith('test/'))
  return isTest(a) - isTest(b) || a.file.localeCompare(b.file) || a.line - b.line
}
