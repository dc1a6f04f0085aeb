import { existsSync, mkdirSync, openSync, watch } from 'node:fs'
import { readConfig } from '../../server/config.ts'
import { OperatorError, reasonOf } from '../../server/process/operator-error.ts'
import { UsageError } from '../../server/process/options.ts'
import { checkHandlers } from '../checks/handlers.ts'
import { type Change, type ContractDiff, toChangeKey } from '../diff/contract-diff.ts'
import { checkRelease } from '../diff/gate.ts'
import type { Artifacts } from '../pipeline/artifacts.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { projectOutput, projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { buildReferencePage } from '../pipeline/reference-page.ts'
import { verdictRows, writeBlock } from './block.ts'
import { Compiler } from './compiler.ts'
import type { OperationState } from './design-service.ts'
import { ServiceHost } from './service-host.ts'
import { type Finding, initialState, type LoopState } from './state.ts'
import { Studio } from './studio.ts'
import { checkTypes } from './type-check.ts'

const folders = ['spec', 'server', 'client', 'scripts', 'bench', 'test']
/** The files that are watched, without those that editors and builds leave beside them. */
const ofInterest = /^(?!.*(?:\/\.|\/dist|node_modules\/)).*\.(?:yaml|yml|json|md|lua|[jt]s)$/
const isRule = (file: string): boolean => /^(?:scripts\/lint\/|redocly\.yaml$)/.test(file)
const isSpec = (file: string): boolean => file.startsWith('spec/') || isRule(file)
const isServer = (file: string): boolean => file.startsWith('server/')
const isCode = (file: string): boolean => /\.[jt]s$|^tsconfig\.json$/.test(file)

const logFile = 'data/dev-service.log'
/** Milliseconds without a change after which a save is processed. */
const calm = 30
const maxRequests = 200

/** The loop of `npm run dev`: lints, compiles, compares, checks types and serves after every save. */
export class DevLoop {
  readonly #print: (text: string) => void
  readonly #host: ServiceHost
  readonly #compiler = new Compiler()
  readonly #studio = new Studio()
  readonly #stopping = new AbortController()
  readonly #stopped = Promise.withResolvers<void>()
  /** The files that were saved since the last run that was not outdated. */
  readonly #saved = new Set<string>()
  #outdate = new AbortController()
  #saving = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #state: LoopState = initialState
  /** The artifacts of the last valid description. */
  #artifacts: Artifacts = new Map()
  /** The `openapi.json` that is served. */
  #served: string | undefined
  /** The generated code that `#typeErrors` are about. */
  #checked: string | undefined
  #typeErrors: readonly Finding[] = []
  #page = ''

  constructor(print: (text: string) => void) {
    this.#print = (text) => void (this.#stopping.signal.aborted || print(text))
    // The store may be in this folder, too.
    mkdirSync(projectPath('data'), { recursive: true, mode: 0o700 })
    this.#host = new ServiceHost({
      log: openSync(projectPath(logFile), 'a'),
      onRequest: (request) =>
        this.#set({ requests: [...this.#state.requests, request].slice(-maxRequests) }),
      onEnded: (how) => {
        const trouble = `the service ended by itself (${how}); the next save starts it again`
        this.#fail({ trouble, service: undefined })
      },
    })
  }

  /** Runs until it is stopped; rejects with a `UsageError` if the service cannot listen, or has no store. */
  async run(): Promise<void> {
    const { host, port } = readEnvironment()
    this.#page = await this.#studio.listen(host, port === 0 ? 0 : (port + 1) % 65_536)
    const { signal } = this.#stopping
    for (const folder of folders.filter((name) => existsSync(projectPath(name)))) {
      const watcher = watch(projectPath(folder), { recursive: true, signal })
      watcher.on('change', (_, name) => this.#note(`${folder}/${name}`))
    }
    watch(projectPath(), { signal }).on('change', (_, name) => {
      if (isSpec(`${name}`) || isCode(`${name}`)) {
        this.#note(`${name}`)
      }
    })
    this.#saving = this.#save()
    await this.#stopped.promise
  }

  /** Ends the loop and everything that it has started. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#outdate.abort()
    this.#stopping.abort()
    this.#studio.stop()
    await Promise.all([this.#host.stop(), this.#compiler.reload(), this.#saving])
    this.#stopped.resolve()
  }

  #note(file: string): void {
    if (!ofInterest.test(file)) {
      return
    }
    this.#outdate.abort()
    this.#saved.add(file)
    // At once, because the rule as it was may never end.
    if (isRule(file)) {
      void this.#compiler.reload()
    }
    this.#set({ processing: [...this.#saved].sort() })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#saving = this.#saving.then(() => this.#save())
    }, calm)
  }

  #set(change: Partial<LoopState>): void {
    this.#state = { ...this.#state, ...change }
    this.#studio.show(this.#state)
  }

  /** Processes the saved files. A newer save ends the run; the next run processes these files, too. */
  async #save(): Promise<void> {
    // A run that waited for another one may have nothing left to do.
    if (this.#stopping.signal.aborted || (this.#saved.size === 0 && this.#state.run > 0)) {
      return
    }
    this.#outdate = new AbortController()
    const { signal } = this.#outdate
    try {
      await this.#run(signal)
      await buildReferencePage(projectOutput, { signal, force: false })
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
    this.#set({ ...change, processing: [] })
    this.#print(verdictRows(this.#state).join())
  }

  /** Runs the steps that the saved files need, those that can at the same time, and prints a block. */
  async #run(signal: AbortSignal): Promise<void> {
    const saved = [...this.#saved].sort()
    const isFirst = this.#state.run === 0
    const isSaved = (isKind: (file: string) => boolean) => isFirst || saved.some(isKind)
    const from = performance.now()
    const times: Record<string, number> = {}
    const time = <Result>(step: string, working: Promise<Result>) => measure(times, step, working)

    const isSpecSaved = isSaved(isSpec)
    const comparing = isSpecSaved ? time('diff', compareWithRelease()) : undefined
    const linted = isSpecSaved ? await time('generate', this.#generate(signal)) : this.#state
    signal.throwIfAborted()
    const { lint, warnings } = linted
    const isValid = lint.length === 0

    const isToServe = isSaved(isServer) || this.#isOutdated()
    const serving = isToServe ? time('restart', this.#serve(signal)) : undefined
    const generated = codeOf(this.#artifacts)
    // The errors of an invalid description are reported first; types are checked once it is valid.
    const isToCheck = isSaved(isCode) || (isValid && generated !== this.#checked)
    const checking = isToCheck ? time('types', checkTypes(signal)) : this.#typeErrors
    const [typeErrors] = await Promise.all([checking, serving])
    const isComparable = lint.every(isAboutExample)
    const compared = isComparable ? await comparing : undefined
    // The operations of a service that did not start are not known.
    const operations = this.#state.trouble === undefined ? this.#state.operations : []
    const code =
      isValid || isToCheck ? [...(await checkHandlers(operations.map(toEntry))), ...typeErrors] : []
    signal.throwIfAborted()

    if (isToCheck) {
      this.#checked = generated
    }
    this.#typeErrors = typeErrors
    this.#saved.clear()
    this.#set({
      run: this.#state.run + 1,
      saved,
      processing: [],
      milliseconds: { ...times, total: Math.round(performance.now() - from) },
      lint,
      warnings,
      code,
      ...compared,
      isCompared: isSpecSaved ? isComparable : this.#state.isCompared,
      isCodeChecked: isValid || isToCheck,
      newChanges: compared === undefined ? [] : changesSince(this.#state.diff, compared.diff),
    })
    this.#print(writeBlock(this.#state, new Date()))
  }

  /** Returns whether the last valid description, or the code of the last save, is not served. */
  #isOutdated(): boolean {
    return this.#state.trouble !== undefined || this.#artifacts.get('openapi.json') !== this.#served
  }

  /** Lints and compiles the description; returns what the linter finds. */
  async #generate(signal: AbortSignal): Promise<Pick<LoopState, 'lint' | 'warnings'>> {
    const compiled = await this.#compiler.compile()
    signal.throwIfAborted()
    if ('errors' in compiled) {
      return { lint: compiled.errors.map(toFinding), warnings: [] }
    }
    await writeFolder(projectOutput, compiled.artifacts)
    this.#artifacts = compiled.artifacts
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
      this.#set({ trouble: attempt.message })
    } else {
      this.#served = description
      const { origin, reference, operations, notice } = attempt
      this.#set({ trouble: undefined, service: origin, reference, operations })
      if (notice !== '') {
        this.#print(notice)
      }
    }
    if (!isFirst) {
      return
    }
    const service = this.#state.service ?? 'has not started yet'
    this.#print(`Service: ${service}\nStudio page: ${this.#page}\nLog of the service: ${logFile}`)
  }
}

function readEnvironment() {
  try {
    return readConfig(process.env)
  } catch (error) {
    throw error instanceof OperatorError ? new UsageError(error.message) : error
  }
}

/** Measures the duration of a step in milliseconds; steps run at the same time. */
async function measure<Result>(
  times: Record<string, number>,
  step: string,
  working: Promise<Result>,
): Promise<Result> {
  const from = performance.now()
  times[step] = 0
  const result = await working
  times[step] = Math.round(performance.now() - from)
  return result
}

/** Compares the description with the last release, and checks whether it may follow it. */
async function compareWithRelease(): Promise<Pick<LoopState, 'diff' | 'gate'>> {
  try {
    const { diff, errors } = await checkRelease()
    // The details are changes, which are shown with the others.
    return { diff, gate: errors.map(({ message, snippet }) => ({ message, snippet })) }
  } catch (error) {
    return { diff: undefined, gate: [{ message: reasonOf(error) }] }
  }
}

// Examples and defaults may still be those of the description before; what is sent is what is described.
function isAboutExample({ rule = '' }: Finding): boolean {
  return /example|default-valid/.test(rule)
}

/** Returns the changes of a comparison that an earlier one does not have. */
function changesSince(
  earlier: ContractDiff | undefined,
  diff: ContractDiff | undefined,
): readonly Change[] {
  const known = new Set(earlier?.changes.map(toChangeKey))
  return diff?.changes.filter((change) => !known.has(toChangeKey(change))) ?? []
}

/** Returns the generated code, on which types depend, without its comments. */
function codeOf(artifacts: Artifacts): string {
  const code = [...artifacts].filter(([name]) => name.endsWith('.ts')).map(([, text]) => text)
  return code.join('').replaceAll(/^[ \t]*(?:\/\*\*|\*).*\n/gm, '')
}

function toEntry(operation: OperationState): readonly [string, OperationState] {
  return [operation.operationId, operation]
}

/** Parses a line of the pipeline: `file:line:column rule message`. */
function toFinding(text: string): Finding {
  const found = /^(\S+?):(\d+):(\d+) (\S+) (.*)$/s.exec(text)
  if (found === null) {
    return { file: shortPath(projectSpec), line: 1, column: 1, message: text }
  }
  const [, file = '', line, column, rule = '', message = ''] = found
  return { file, line: Number(line), column: Number(column), rule, message }
}
