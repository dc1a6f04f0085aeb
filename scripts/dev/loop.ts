import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, watch } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { readConfig } from '../../server/config.ts'
import { PlainError } from '../../server/plain-error.ts'
import { responsesStep } from '../checks/responses-step.ts'
import { compareDescriptions } from '../diff/compare.ts'
import type { ContractDiff } from '../diff/contract-diff.ts'
import { findReleased } from '../diff/released.ts'
import type { Artifacts } from '../pipeline/artifacts.ts'
import { UsageError } from '../pipeline/failure.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { projectOutput, projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { buildReferencePage } from '../pipeline/reference-page.ts'
import { writeBlock } from './block.ts'
import { Compiler } from './compiler.ts'
import { ServiceHost } from './service-host.ts'
import { type Finding, initialState, type LoopState } from './state.ts'
import { Studio } from './studio.ts'
import { checkTypes } from './type-check.ts'
import { findUnreadParameters } from './unread-parameters.ts'

type Print = (text: string) => void

const folders = ['spec', 'server', 'client', 'scripts', 'bench', 'test']
/** The files that a save concerns, without what editors and builds leave beside them. */
const ofInterest = /^(?!.*(?:\/\.|\/dist|node_modules\/)).*\.(?:yaml|yml|json|md|lua|[jt]s)$/
const isSpec = (file: string): boolean => /^(?:spec\/|redocly\.yaml$)/.test(file)
const isRule = (file: string): boolean => /^(?:spec\/rules\/|redocly\.yaml$)/.test(file)
const isServer = (file: string): boolean => file.startsWith('server/')
const isCode = (file: string): boolean => /\.[jt]s$/.test(file)

const logFile = 'data/dev-service.log'
/** Milliseconds without a change after which a save is processed. */
const calm = 30
/** How often the service may end by itself between two saves. */
const mostEnds = 4
const mostRequests = 200

/** Prepares the loop; throws a `UsageError` if the environment is not valid. */
export async function openLoop(print: Print): Promise<DevLoop> {
  try {
    const { host, port } = readConfig(process.env)
    return new DevLoop(host, port === 0 ? await findFreePort(host) : port, print)
  } catch (error) {
    throw error instanceof PlainError ? new UsageError(error.message) : error
  }
}

/** The loop of `npm run dev`: lints, compiles, compares, checks types and serves after every save. */
class DevLoop {
  readonly #address: { readonly host: string; readonly port: number }
  readonly #print: Print
  readonly #host: ServiceHost
  readonly #compiler = new Compiler()
  readonly #studio = new Studio()
  readonly #stopping = new AbortController()
  readonly #stopped = Promise.withResolvers<void>()
  /** What was saved since the last run that was not outdated. */
  readonly #saved = new Set<string>()
  #outdate = new AbortController()
  #saving: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #state: LoopState = initialState
  /** What the last valid description was compiled into; and the part that is served, and checked. */
  #artifacts: Artifacts = new Map()
  #served = ''
  #checked = ''
  #typeErrors: readonly Finding[] = []
  #page = ''
  #ends = 0

  constructor(host: string, port: number, print: Print) {
    this.#address = { host, port }
    this.#print = (text) => void (this.#stopping.signal.aborted || print(text))
    // The store may be in this folder, too.
    mkdirSync(projectPath('data'), { recursive: true, mode: 0o700 })
    this.#host = new ServiceHost({
      ...{ port, log: openSync(projectPath(logFile), 'a') },
      onRequest: (request) =>
        this.#set({ requests: [...this.#state.requests, request].slice(-mostRequests) }),
      onEnded: (how) => void this.#restart(how).catch(() => undefined),
    })
  }

  /** Runs until it is stopped; rejects with a `UsageError` if the service cannot listen, or has no store. */
  async run(): Promise<void> {
    const { host, port } = this.#address
    this.#page = await this.#studio.listen(host, (port + 1) % 65_536)
    const { signal } = this.#stopping
    for (const folder of folders.filter((name) => existsSync(projectPath(name)))) {
      const watcher = watch(projectPath(folder), { recursive: true, signal })
      watcher.on('change', (_, name) => this.#note(`${folder}/${name}`))
    }
    watch(projectPath(), { signal }).on('change', (_, name) => {
      if (name === 'redocly.yaml') this.#note(name)
    })
    this.#host.prepare()
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
    if (!ofInterest.test(file)) return
    this.#outdate.abort()
    this.#saved.add(file)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#saving = this.#save()
    }, calm)
  }

  #set(change: Partial<LoopState>): void {
    this.#state = { ...this.#state, ...change }
    this.#studio.show(this.#state)
  }

  /** Processes what was saved; another save outdates the run, and the next one does its work, too. */
  async #save(): Promise<void> {
    this.#outdate = new AbortController()
    this.#ends = 0
    const { signal } = this.#outdate
    try {
      const isServed = await this.#run(signal)
      this.#host.prepare()
      await buildReferencePage(projectOutput, { signal, force: false })
      if (isServed) await this.#checkResponses(signal)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof UsageError) this.#stopped.reject(error)
      else this.#print(`This save could not be processed. ${error}`)
    }
  }

  /** Runs the steps that the saved files ask for, and prints a block; returns whether they are served. */
  async #run(signal: AbortSignal): Promise<boolean> {
    const saved = [...this.#saved].sort()
    const steps = new Steps()
    const isFirst = this.#state.run === 0
    const isSpecSaved = isFirst || saved.some(isSpec)
    if (saved.some(isRule)) await this.#compiler.reload()
    const isServerSaved = isFirst || saved.some(isServer) || this.#state.trouble !== undefined
    const comparing = isSpecSaved ? steps.time('diff', compareWithRelease()) : undefined
    // Of an invalid description the findings of the linter are enough.
    comparing?.catch(() => undefined)
    const lint = isSpecSaved
      ? await steps.time('generate', this.#generate(signal))
      : this.#state.lint
    signal.throwIfAborted()
    const isToServe = isServerSaved || servedText(this.#artifacts) !== this.#served
    const serving = isToServe ? steps.time('restart', this.#serve(signal)) : undefined
    const types = checkedText(this.#artifacts)
    const isToCheck = isFirst || saved.some(isCode) || types !== this.#checked
    const checking = isToCheck ? steps.time('types', checkTypes(signal)) : this.#typeErrors
    const [typeErrors] = await Promise.all([checking, serving])
    const diff = lint.length === 0 && comparing ? await comparing : this.#state.diff
    const code = [...(await findUnreadParameters(this.#state.operations)), ...typeErrors]
    signal.throwIfAborted()
    this.#checked = types
    this.#typeErrors = typeErrors
    this.#saved.clear()
    const run = this.#state.run + 1
    const milliseconds = steps.read()
    const responses = isToServe ? [] : this.#state.responses
    this.#set({ run, saved, milliseconds, lint, responses, diff, code })
    this.#print(writeBlock(this.#state, new Date()))
    return isToServe && this.#state.trouble === undefined
  }

  /** Lints and compiles the description; returns what is wrong with it. */
  async #generate(signal: AbortSignal): Promise<readonly Finding[]> {
    const compiled = await this.#compiler.compile()
    signal.throwIfAborted()
    if ('errors' in compiled) return compiled.errors.map(toFinding)
    await writeFolder(projectOutput, compiled.artifacts)
    this.#artifacts = compiled.artifacts
    return []
  }

  async #serve(signal: AbortSignal): Promise<void> {
    const text = servedText(this.#artifacts)
    const isFirst = this.#state.service === undefined
    const attempt = await this.#host.serve(signal)
    if (attempt.kind === 'failed') {
      signal.throwIfAborted()
      if (attempt.isFinal && isFirst) throw new UsageError(attempt.message)
      this.#set({ trouble: attempt.message })
    } else {
      this.#served = text
      this.#set({
        ...{ trouble: undefined, service: attempt.origin, operations: attempt.operations },
      })
      if (attempt.notice !== '') this.#print(attempt.notice)
    }
    if (!isFirst) return
    const service = this.#state.service ?? 'has not started yet'
    this.#print(`Service: ${service}\nStudio page: ${this.#page}\nLog of the service: ${logFile}`)
  }

  /** Starts the service again that ended by itself; after several ends it waits for the next save. */
  async #restart(how: string): Promise<void> {
    const isLast = ++this.#ends >= mostEnds
    const reason = isLast ? 'It ends again and again' : 'It ended by itself'
    this.#set({ trouble: `${reason} (${how}); its log may say why.` })
    this.#print(`The service ended by itself (${how}). ${isLast ? this.#state.trouble : ''}`)
    const { signal } = this.#outdate
    if (isLast || signal.aborted) return
    await this.#serve(signal)
    if (this.#state.trouble !== undefined) this.#print(`Not served: ${this.#state.trouble}`)
  }

  /** Validates the responses that the service makes itself: those of the mock, which always starts. */
  async #checkResponses(signal: AbortSignal): Promise<void> {
    const lines = await responsesStep('server/commands/mock.ts', signal).run()
    signal.throwIfAborted()
    if (lines.length === 0) return
    this.#set({ responses: lines.map(toFinding) })
    this.#print(writeBlock(this.#state, new Date()))
  }
}

/** The durations of the steps of a run, in milliseconds; steps run at the same time. */
class Steps {
  readonly #from = performance.now()
  readonly #times: Record<string, number> = {}

  async time<Result>(step: string, working: Promise<Result>): Promise<Result> {
    const from = performance.now()
    this.#times[step] = 0
    const result = await working
    this.#times[step] = Math.round(performance.now() - from)
    return result
  }

  read(): Readonly<Record<string, number>> {
    return { ...this.#times, total: Math.round(performance.now() - this.#from) }
  }
}

async function compareWithRelease(): Promise<ContractDiff | undefined> {
  const released = await findReleased()
  return released && compareDescriptions(released.file, projectSpec, released.ref)
}

/** Returns the part of the compiled description that the service runs on. */
function servedText(artifacts: Artifacts): string {
  return ['openapi.json', 'operations.ts'].map((name) => artifacts.get(name)).join('')
}

/** Returns the part of the compiled description that types depend on: code without its comments. */
function checkedText(artifacts: Artifacts): string {
  const code = [...artifacts].filter(([name]) => name.endsWith('.ts')).map(([, text]) => text)
  return code.join('').replaceAll(/^[ \t]*(?:\/\*\*|\*).*\n/gm, '')
}

/** Parses a line of the pipeline: `file:line:column rule message`. */
function toFinding(text: string): Finding {
  const found = /^(\S+?):(\d+):(\d+) (\S+) (.*)$/s.exec(text)
  if (found === null) return { file: shortPath(projectSpec), line: 1, column: 1, message: text }
  const [, file = '', line, column, rule = '', message = ''] = found
  return { file, line: Number(line), column: Number(column), rule, message }
}

async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
