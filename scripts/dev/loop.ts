import { existsSync, mkdirSync, openSync, watch } from 'node:fs'
import { readConfig } from '../../server/config.ts'
import { toObject } from '../../server/description/json.ts'
import { OperatorError, reasonOf } from '../../server/process/operator-error.ts'
import { UsageError } from '../../server/process/options.ts'
import { checkHandlers } from '../checks/handlers.ts'
import { type Change, type ContractDiff, toChangeKey } from '../diff/contract-diff.ts'
import { checkRelease } from '../diff/gate.ts'
import type { Artifacts } from '../pipeline/artifacts.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { projectOutput, projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { buildCodeSamples } from '../pipeline/reference.ts'
import { verdictRows, writeBlock } from './block.ts'
import { Compiler } from './compiler.ts'
import type { OperationState } from './design-service.ts'
import { readEditorUrl } from './editor-url.ts'
import { splitLocation } from './located.ts'
import { ServiceHost } from './service-host.ts'
import { type Finding, initialState, type LoopState } from './state.ts'
import { Studio } from './studio.ts'
import { checkTypes } from './type-check.ts'

const folders = ['spec', 'server', 'client', 'scripts', 'bench', 'test']
/** The files that are watched, without those that editors and builds leave beside them. */
const watchedFile = /^(?!.*(?:\/\.|\/dist|node_modules\/)).*\.(?:yaml|yml|json|md|lua|[jt]s)$/
const isRule = (file: string): boolean => /^(?:scripts\/lint\/|redocly\.yaml$)/.test(file)
const isSpec = (file: string): boolean => file.startsWith('spec/') || isRule(file)
const isServer = (file: string): boolean => file.startsWith('server/')
const isCode = (file: string): boolean => /\.[jt]s$|^tsconfig\.json$/.test(file)

const logFile = 'data/dev-service.log'
/** Milliseconds without another save after which the saved files are processed. */
const quietTime = 30
const maxRequests = 200

/** The loop of `npm run dev`: lints, compiles, compares, checks types and serves after every save. */
export class DevLoop {
  readonly #write: (text: string) => void
  readonly #host: ServiceHost
  readonly #compiler = new Compiler()
  readonly #studio: Studio
  readonly #stopping = new AbortController()
  readonly #stopped = Promise.withResolvers<void>()
  /** The files that were saved since the last run that was not aborted. */
  readonly #saved = new Set<string>()
  /** Aborts the current run, because a newer save is processed in its place. */
  #runAbort = new AbortController()
  /** Resolves when the current run and those that wait for it have ended. */
  #runs = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #state: LoopState = initialState
  /** The artifacts of the last valid description. */
  #artifacts: Artifacts = new Map()
  /** The `openapi.json` that is served. */
  #servedDescription: string | undefined
  /** The generated code that `#typeErrors` are about. */
  #checkedCode: string | undefined
  #typeErrors: readonly Finding[] = []
  #studioUrl = ''

  constructor(write: (text: string) => void) {
    this.#studio = new Studio(readEditorUrl(process.env['EDITOR_URL']))
    this.#write = write
    // The store may be in this folder, too.
    mkdirSync(projectPath('data'), { recursive: true, mode: 0o700 })
    this.#host = new ServiceHost({
      log: openSync(projectPath(logFile), 'a'),
      onRequest: (request) => {
        const requests = [...this.#state.requests, request].slice(-maxRequests)
        this.#update({ requests })
      },
      onEnded: (how) => {
        const trouble = `the service ended by itself (${how}); the next save starts it again`
        this.#fail({ trouble, service: undefined })
      },
    })
  }

  /** Runs until it is stopped; rejects with a `UsageError` if the service cannot listen, or has no store. */
  async run(): Promise<void> {
    const { host, port } = readEnvironment()
    // The studio page has the port after that of the service; port 0 stands for a free one.
    const studioPort = port === 0 ? 0 : (port + 1) % 65_536
    this.#studioUrl = await this.#studio.listen(host, studioPort)
    this.#watch()
    this.#runs = this.#processSaved()
    await this.#stopped.promise
  }

  /** Ends the loop and everything that it has started. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#runAbort.abort()
    this.#stopping.abort()
    this.#studio.stop()
    await Promise.all([this.#host.stop(), this.#compiler.reload(), this.#runs])
    this.#stopped.resolve()
  }

  /** Watches the folders of the project, and the files beside them that the loop reads. */
  #watch(): void {
    const { signal } = this.#stopping
    for (const folder of folders.filter((name) => existsSync(projectPath(name)))) {
      const watcher = watch(projectPath(folder), { recursive: true, signal })
      watcher.on('change', (_, name) => this.#addSaved(`${folder}/${name}`))
    }

    watch(projectPath(), { signal }).on('change', (_, name) => {
      const file = `${name}`
      if (isSpec(file) || isCode(file)) {
        this.#addSaved(file)
      }
    })
  }

  /** Aborts the current run, and starts one that processes the file, too. */
  #addSaved(file: string): void {
    if (!watchedFile.test(file)) {
      return
    }

    this.#runAbort.abort()
    this.#saved.add(file)
    // The rule before this save may run forever, so that its process is ended at once.
    if (isRule(file)) {
      void this.#compiler.reload()
    }
    this.#update({ processing: [...this.#saved].sort() })

    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#runs = this.#runs.then(() => this.#processSaved())
    }, quietTime)
  }

  #print(text: string): void {
    if (!this.#stopping.signal.aborted) {
      this.#write(text)
    }
  }

  #update(change: Partial<LoopState>): void {
    this.#state = { ...this.#state, ...change }
    this.#studio.show(this.#state)
  }

  /** Processes the saved files. A newer save aborts the run; the next run processes these files, too. */
  async #processSaved(): Promise<void> {
    // The run before may have processed the files that this run was started for.
    const isDone = this.#saved.size === 0 && this.#state.run > 0
    if (isDone || this.#stopping.signal.aborted) {
      return
    }

    this.#runAbort = new AbortController()
    const { signal } = this.#runAbort
    try {
      await this.#run(signal)
    } catch (error) {
      if (signal.aborted) {
        return
      }
      if (error instanceof UsageError) {
        return this.#stopped.reject(error)
      }
      this.#fail({ trouble: `it could not be processed. ${error}`, saved: [...this.#saved].sort() })
    }
  }

  /** Shows why the last save is not served. */
  #fail(change: Partial<LoopState>): void {
    this.#update({ ...change, processing: [] })
    this.#print(verdictRows(this.#state).join())
  }

  /** Runs the steps that the saved files need, at the same time where they can, and prints a block. */
  async #run(signal: AbortSignal): Promise<void> {
    const saved = [...this.#saved].sort()
    const isFirst = this.#state.run === 0
    const isSaved = (isKind: (file: string) => boolean) => isFirst || saved.some(isKind)
    const stopwatch = new Stopwatch()

    const isSpecSaved = isSaved(isSpec)
    const comparing = isSpecSaved ? stopwatch.measure('diff', compareWithRelease()) : undefined
    const { lint, warnings } = isSpecSaved
      ? await stopwatch.measure('generate', this.#generate(signal))
      : this.#state
    signal.throwIfAborted()

    const isToServe = isSaved(isServer) || this.#isServiceOutdated()
    const serving = isToServe ? stopwatch.measure('restart', this.#serve(signal)) : undefined

    // The errors of an invalid description are reported first; types are checked once it is valid.
    const isValid = lint.length === 0
    const generatedCode = codeOf(this.#artifacts)
    const isToCheck = isSaved(isCode) || (isValid && generatedCode !== this.#checkedCode)
    const checking = isToCheck ? stopwatch.measure('types', checkTypes(signal)) : this.#typeErrors
    const [typeErrors] = await Promise.all([checking, serving])

    const isComparable = lint.every(isAboutExample)
    const compared = isComparable ? await comparing : undefined
    const newChanges = compared === undefined ? [] : changesSince(this.#state.diff, compared.diff)

    const isCodeChecked = isValid || isToCheck
    const handlerErrors = isCodeChecked ? await this.#checkHandlers() : []
    const code = isCodeChecked ? [...handlerErrors, ...typeErrors] : []
    signal.throwIfAborted()

    if (isToCheck) {
      this.#checkedCode = generatedCode
    }
    this.#typeErrors = typeErrors
    this.#saved.clear()
    this.#update({
      run: this.#state.run + 1,
      saved,
      processing: [],
      milliseconds: stopwatch.milliseconds(),
      lint,
      warnings,
      code,
      ...compared,
      isCompared: isSpecSaved ? isComparable : this.#state.isCompared,
      isCodeChecked,
      newChanges,
    })
    this.#print(writeBlock(this.#state, new Date()))
  }

  #checkHandlers(): Promise<readonly Finding[]> {
    const { trouble, operations } = this.#state
    // The operations of a service that did not start are not known.
    const served = trouble === undefined ? operations : []
    return checkHandlers(served.map(toEntry))
  }

  /** Returns whether the last valid description, or the code of the last save, is not served. */
  #isServiceOutdated(): boolean {
    const description = this.#artifacts.get('openapi.json')
    return this.#state.trouble !== undefined || description !== this.#servedDescription
  }

  /** Lints and compiles the description; returns what the linter finds. */
  async #generate(signal: AbortSignal): Promise<Pick<LoopState, 'lint' | 'warnings'>> {
    const compiled = await this.#compiler.compile()
    signal.throwIfAborted()
    if ('errors' in compiled) {
      return { lint: compiled.errors.map(toFinding), warnings: [] }
    }
    await writeFolder(projectOutput, compiled.artifacts)
    await buildCodeSamples(projectOutput)
    this.#artifacts = compiled.artifacts
    this.#update({ title: titleOf(compiled.artifacts) })
    return { lint: [], warnings: compiled.warnings.map(toFinding) }
  }

  async #serve(signal: AbortSignal): Promise<void> {
    const description = this.#artifacts.get('openapi.json')
    const isFirst = this.#state.service === undefined
    const attempt = await this.#host.serve(signal)
    if (attempt.kind === 'failed') {
      signal.throwIfAborted()
      if (attempt.isFinal && isFirst) {
        throw new UsageError(attempt.message)
      }
      this.#update({ trouble: attempt.message })
    } else {
      this.#servedDescription = description
      const { origin, reference, operations, notice } = attempt
      this.#update({ trouble: undefined, service: origin, reference, operations })
      if (notice !== '') {
        this.#print(notice)
      }
    }
    if (isFirst) {
      this.#printAddresses()
    }
  }

  #printAddresses(): void {
    const service = this.#state.service ?? 'has not started yet'
    const studio = this.#studioUrl
    this.#print(`Service: ${service}\nStudio page: ${studio}\nLog of the service: ${logFile}`)
  }
}

function readEnvironment() {
  try {
    return readConfig(process.env)
  } catch (error) {
    throw error instanceof OperatorError ? new UsageError(error.message) : error
  }
}

/** Measures how long a run and its steps take; steps run at the same time. */
class Stopwatch {
  readonly #start = performance.now()
  readonly #milliseconds: Record<string, number> = {}

  /** Measures a step that has been started, and returns its result. */
  async measure<Result>(step: string, working: Promise<Result>): Promise<Result> {
    const start = performance.now()
    // The steps are listed in the order in which they start.
    this.#milliseconds[step] = 0
    const result = await working
    this.#milliseconds[step] = millisecondsSince(start)
    return result
  }

  /** Returns the duration of each step, and of the run as `total`. */
  milliseconds(): Readonly<Record<string, number>> {
    return { ...this.#milliseconds, total: millisecondsSince(this.#start) }
  }
}

function millisecondsSince(start: number): number {
  return Math.round(performance.now() - start)
}

/** Compares the description with the last release, and checks whether it may follow it. */
async function compareWithRelease(): Promise<Pick<LoopState, 'diff' | 'gate'>> {
  try {
    const { diff, errors } = await checkRelease()
    // The details are changes, which are shown with the others.
    return { diff, gate: errors.map(({ details: _, ...obstacle }) => obstacle) }
  } catch (error) {
    const message = reasonOf(error)
    return { diff: undefined, gate: [{ message, problem: message }] }
  }
}

/**
 * Returns whether an error leaves the description comparable: it is about an example or a default, which no
 * request and no response depends on.
 */
function isAboutExample({ rule = '' }: Finding): boolean {
  return /example|default-valid/.test(rule)
}

/** Returns the changes of a comparison that an earlier comparison does not have. */
function changesSince(
  earlier: ContractDiff | undefined,
  diff: ContractDiff | undefined,
): readonly Change[] {
  const earlierKeys = new Set(earlier?.changes.map(toChangeKey))
  return diff?.changes.filter((change) => !earlierKeys.has(toChangeKey(change))) ?? []
}

/** Returns the generated code, on which types depend, without its comments. */
function codeOf(artifacts: Artifacts): string {
  const code = [...artifacts].filter(([name]) => name.endsWith('.ts')).map(([, text]) => text)
  return code.join('').replaceAll(/^[ \t]*(?:\/\*\*|\*).*\n/gm, '')
}

/** Returns the title of the API that was compiled. */
function titleOf(artifacts: Artifacts): string {
  const description = toObject(JSON.parse(artifacts.get('openapi.json') ?? '{}'))
  return String(toObject(description['info'])['title'] ?? '')
}

function toEntry(operation: OperationState): readonly [string, OperationState] {
  return [operation.operationId, operation]
}

/** Parses a line of the pipeline: `file:line:column rule message`. */
function toFinding(line: string): Finding {
  const { at, text } = splitLocation(line)
  const [, rule = '', message = ''] = /^(\S+) (.*)$/s.exec(text) ?? []
  if (at === undefined || rule === '') {
    return { file: shortPath(projectSpec), line: 1, column: 1, message: line }
  }
  return { ...at, rule, message }
}
