import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
// The native compiler as a process that stays and keeps what did not change. Its interface may
// change with its version, which is pinned.
import { API, type Diagnostic, type Project, type Snapshot } from 'typescript7/unstable/async'
import { projectPath } from '../pipeline/project.ts'
import type { FileChanges } from './file-changes.ts'
import { createImportGraph } from './import-graph.ts'
import type { CodeFault } from './loop-state.ts'

/** What the compiler says of hand-written code. */
export interface TypeCheck {
  /** Of the code itself. */
  readonly faults: readonly CodeFault[]
  /** Of its tests, which take longer than the code. */
  readonly inTests: Promise<readonly CodeFault[]>
}

/** A type check of the project that gets faster after the first time. */
export interface TypeChecker {
  /** Checks the whole project, given how its files differ from those of the last check. */
  readonly check: (changes: FileChanges) => Promise<TypeCheck>
  readonly stop: () => Promise<void>
}

const configuration = projectPath('tsconfig.json')

/**
 * Makes a type check under the project's own settings. After the first time it looks only at files
 * that changed and at those that see them: the compiler keeps what it parsed, not what it checked.
 */
export function createTypeChecker(): TypeChecker {
  let api = new API({ cwd: projectPath() })
  let last: Snapshot | undefined
  // One after the other: each begins with what the one before it left.
  let turn: Promise<unknown> = Promise.resolve()
  let isStopped = false
  let memory = createFaultMemory()

  async function open(changes: FileChanges): Promise<Project> {
    const { changed, created, deleted } = changes
    const fileChanges = { changed: [...changed], created: [...created], deleted: [...deleted] }
    const first = { openProjects: [configuration] }
    const snapshot = await api.updateSnapshot(last === undefined ? first : { fileChanges })
    await last?.dispose()
    last = snapshot
    const project = snapshot.getProject(configuration)
    if (project === undefined) throw new Error(`There is no project ${configuration}.`)
    await memory.forget(project, changes)
    return project
  }

  async function check(changes: FileChanges): Promise<TypeCheck> {
    if (isStopped) throw new Error('The loop is ending.')
    try {
      const project = await open(changes)
      const syntax = await project.program.getSyntacticDiagnostics()
      // Of what cannot be parsed nothing else is worth saying.
      if (syntax.length > 0) return { faults: await toFaults(syntax), inTests: nothing }
      const faults = await memory.faultsOf(project, (file) => !isTest(file))
      return { faults, inTests: memory.faultsOf(project, isTest) }
    } catch (error) {
      // What it knows may be wrong now: the next check begins from nothing.
      last = undefined
      memory = createFaultMemory()
      await api.close()
      api = new API({ cwd: projectPath() })
      throw error
    }
  }

  return {
    check(changes) {
      const checking = turn.then(() => check(changes))
      turn = checking.then(({ inTests }) => inTests).catch(() => undefined)
      return checking
    },
    async stop() {
      isStopped = true
      await api.close()
      // A check that had just begun may have started the compiler after that.
      await turn
      await api.close()
    },
  }
}

/** Makes a memory of the faults of each file, until it or something that it sees changes. */
function createFaultMemory() {
  const graph = createImportGraph()
  const known = new Map<string, readonly CodeFault[]>()

  async function look(program: Project['program'], file: string) {
    const faults = known.get(file) ?? (await toFaults(await program.getSemanticDiagnostics(file)))
    known.set(file, faults)
    return faults
  }

  return {
    async forget({ rootFiles }: Project, changes: FileChanges): Promise<void> {
      for (const file of await graph.touched(rootFiles, changes)) known.delete(file)
    },
    async faultsOf({ program, rootFiles }: Project, isWanted: (file: string) => boolean) {
      const files = rootFiles.filter(isWanted)
      const faults = await Promise.all(files.map((file) => look(program, file)))
      return faults.flat().sort(byPlace)
    },
  }
}

const nothing: Promise<readonly CodeFault[]> = Promise.resolve([])

function isTest(file: string): boolean {
  return nameOf(file).startsWith('test/')
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
  return faults
}

function nameOf(file: string): string {
  return relative(projectPath(), file)
}

function byPlace(a: CodeFault, b: CodeFault): number {
  return a.file.localeCompare(b.file) || a.line - b.line
}
