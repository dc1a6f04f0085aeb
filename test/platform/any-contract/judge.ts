import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { Document } from './document.ts'
import { send } from './http.ts'
import type { Json } from './json.ts'
import { listFiles, type Project, type Service } from './project.ts'
import { type Judged, judgeRequests, type Requests, readRequests } from './requests.ts'
import { listDifferences } from './same-meaning.ts'
import { listLosses } from './served-document.ts'

/** What is judged of a description, row by row. */
export const rows = {
  init: 'init accepts the description',
  document: '/openapi.json has everything that the description has',
  file: 'spec/ has the description as it was',
  check: 'npm run check is green after init',
  valid: 'valid requests get what the description declares',
  invalid: 'invalid requests get the errors of the API',
  build: 'npm run build passes, and the types are right',
} as const

export type Row = keyof typeof rows

/** What is wrong with the rows of a description, by row; a row without entries is as it must be. */
export type Findings = Readonly<Record<Row, readonly string[]>>

/** A description to judge. */
export interface Case {
  readonly name: string
  /** The root file of the description. */
  readonly file: string
  /** The folder that has the files beside it: requests, handlers, uses of the client. */
  readonly folder: string | undefined
}

/** Judges the requests of a description with a running service. */
export type RequestJudge = (judged: Judged, row: 'valid' | 'invalid') => Promise<readonly string[]>

/** The folder of the descriptions that the judge has. */
export const descriptions = join(import.meta.dirname, 'descriptions')

/** Returns the descriptions that the judge has, sorted by name. */
export async function listCases(): Promise<readonly Case[]> {
  const names = (await readdir(descriptions)).sort()
  return Promise.all(
    names.map(async (name): Promise<Case> => {
      const folder = join(descriptions, name)
      const files = await readdir(folder)
      const root = files.find((file) => /^openapi\.(?:yaml|json)$/.test(file)) ?? 'openapi.yaml'
      return { name, file: join(folder, root), folder }
    }),
  )
}

/** How a description is judged. */
export interface Options {
  /** Judges further requests, which are made from the description. */
  readonly judgeWithService?: RequestJudge | undefined
  /** Whether `npm run check` and `npm run build` are skipped, which take most of the time. */
  readonly isQuick?: boolean
}

/** Returns the descriptions that a path has: a file, or those of a folder, at any depth. */
export async function findDescriptions(path: string): Promise<readonly Case[]> {
  const isFolder = (await stat(path)).isDirectory()
  const files = isFolder ? (await listFiles(path)).map((name) => join(path, name)) : [path]
  const described = await Promise.all(
    files
      .filter((file) => /\.(?:ya?ml|json)$/.test(file))
      .map(async (file) => {
        const text = await readFile(file, 'utf8')
        return /^(?:\{?\s*"openapi"|["']?openapi["']?)\s*:/m.test(text) ? [file] : []
      }),
  )
  return described
    .flat()
    .sort()
    .map((file) => ({ name: basename(file), file, folder: undefined }))
}

/** Makes a project of a description, and judges it row by row. */
export async function judge(
  project: Project,
  { file, folder }: Case,
  { judgeWithService, isQuick = false }: Options = {},
): Promise<Findings> {
  const requests = readRequests(join(folder ?? '', 'requests.yaml'))
  await project.reset()
  const init = await project.run(`npm run -s init -- --spec '${file}' --name judged-api`)
  const isNamed = new RegExp(requests.named ?? '(?!)', 'i')
  if (!init.isGreen) {
    const isExpected = isNamed.test(init.output)
    return fillRows(isExpected ? [] : [shorten(init.output)])
  }

  const before = new Document(file)
  const check = isQuick ? [] : await judgeCheck(project, requests, init.output)
  const found = await judgeService(project, { before, requests, folder, judgeWithService })
  const { client, ...served } = found
  return {
    init: judgeOutput(requests, init.output),
    file: await judgeFiles(project, before),
    check,
    ...served,
    build: isQuick ? client : [...client, ...(await judgeTypes(project))],
  }
}

/** Runs `npm run check`. It may fail where it must name what is wrong with the description. */
async function judgeCheck(
  project: Project,
  { named }: Requests,
  outputOfInit: string,
): Promise<readonly string[]> {
  const { isGreen, output } = await project.run('npm run -s check')
  if (named === undefined) {
    return isGreen ? [] : [shorten(output)]
  }
  const isNamed = new RegExp(named, 'i').test(output + outputOfInit)
  return isNamed ? [] : [`neither init nor check names ${named}`]
}

/** Returns findings for every row: the first has its own, and the others could not be judged. */
function fillRows(init: readonly string[]): Findings {
  const skipped = init.length === 0 ? [] : ['not judged, because init failed']
  const names = Object.keys(rows).map((row) => [row, skipped])
  return { ...Object.fromEntries(names), init }
}

function judgeOutput({ told, unserved }: Requests, output: string): readonly string[] {
  const missing = [
    ...told.filter((pattern) => !new RegExp(pattern).test(output)),
    ...unserved.filter((name) => !output.includes(name)),
  ]
  return missing.map((pattern) => `the output of init does not have ${pattern}`)
}

/** Compares the files of the description with those in `spec/`. */
async function judgeFiles(project: Project, before: Document): Promise<readonly string[]> {
  const file = project.path('spec/openapi.yaml')
  if (!existsSync(file)) {
    return ['there is no spec/openapi.yaml']
  }
  const after = new Document(file)
  const differences = listDifferences(before, after)

  const kept = await Promise.all(
    (await listFiles(project.path('spec'))).map((file) => readFile(project.path('spec', file))),
  )
  const root = before.files.length === 1 ? [await readFile(after.file)] : kept
  const changed: string[] = []
  for (const file of before.files) {
    const text = await readFile(file)
    if (!root.some((other) => other.equals(text))) {
      changed.push(`no file in spec/ has the bytes of ${relative(dirname(before.file), file)}`)
    }
  }
  return [...differences, ...changed]
}

interface Asked {
  readonly before: Document
  readonly requests: Requests
  readonly folder: string | undefined
  readonly judgeWithService: RequestJudge | undefined
}

type Served = Pick<Findings, 'document' | 'valid' | 'invalid'> & {
  readonly client: readonly string[]
}

/** Starts the service, with the handlers of the description where it has some, and sends requests. */
async function judgeService(project: Project, asked: Asked): Promise<Served> {
  await putFile(asked.folder, 'handlers.ts', project.path('server/api/handlers.ts'))
  await putFile(asked.folder, 'use.ts', project.path('judged/use.ts'))
  let service: Service | undefined
  try {
    service = await project.startService(asked.judgeWithService ? { RATE_LIMITS: 'off' } : {})
    return await judgeRunning(project, service, asked)
  } catch (error) {
    const failure = [shorten(String(error))]
    return { document: failure, valid: failure, invalid: failure, client: [] }
  } finally {
    await service?.stop()
  }
}

async function judgeRunning(
  project: Project,
  { origin, key, description }: Service,
  { before, requests, folder, judgeWithService }: Asked,
): Promise<Served> {
  const target = new URL(description).pathname
  const { body } = await send(origin, { method: 'GET', target, headers: [] })
  const document: Json = JSON.parse(body)
  const served = new Document('/openapi.json', document)
  const judged = { origin, key, document: before, served, errors: requests.errors }

  return {
    document: listLosses(before, served),
    valid: [
      ...(await judgeRequests(judged, requests.valid, '2XX')),
      ...((await judgeWithService?.(judged, 'valid')) ?? []),
    ],
    invalid: [
      ...(await judgeRequests(judged, requests.invalid, '400')),
      ...((await judgeWithService?.(judged, 'invalid')) ?? []),
    ],
    client: await judgeClient(project, folder, { origin, key }),
  }
}

/** Runs the calls that a description makes with its client: `use.ts` exports `call`. */
async function judgeClient(
  project: Project,
  folder: string | undefined,
  { origin, key }: Pick<Service, 'origin' | 'key'>,
): Promise<readonly string[]> {
  const use = folder && (await readFile(join(folder, 'use.ts'), 'utf8').catch(() => ''))
  if (!use?.includes('export async function call(')) {
    return []
  }
  const argumentsOfCall = JSON.stringify([origin, key ?? ''])
  const script = `import { call } from './judged/use.ts'; await call(...${argumentsOfCall})`
  const { isGreen, output } = await project.run('node --input-type=module -e "$SCRIPT"', {
    SCRIPT: script,
  })
  return isGreen ? [] : [`calls of the client: ${shorten(output)}`]
}

/** Builds the client's package, and compiles the uses of types and client. */
async function judgeTypes(project: Project): Promise<readonly string[]> {
  const build = await project.run('npm run -s build')
  const failures = build.isGreen ? [] : [shorten(build.output)]
  const include = ['.', '../server/main.ts']
  const options = JSON.stringify({ extends: '../tsconfig.json', include, exclude: [] })
  await mkdir(project.path('judged'), { recursive: true })
  await writeFile(project.path('judged/tsconfig.json'), options)
  const compiled = await project.run('node node_modules/typescript7/bin/tsc -p judged')
  return compiled.isGreen ? failures : [...failures, shorten(compiled.output)]
}

/** Copies a file beside a description into the project, if it is there. */
async function putFile(folder: string | undefined, name: string, target: string): Promise<void> {
  if (folder === undefined || !(await readdir(folder)).includes(name)) {
    return
  }
  await mkdir(dirname(target), { recursive: true })
  await cp(join(folder, name), target)
}

/** Returns the lines of an output that say what failed. */
function shorten(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('ok '))
  const others = lines.filter((line) => !line.endsWith('(warning)'))
  return others.slice(0, 12).join('\n').slice(0, 2_000)
}

/** Returns findings as lines for people, in the order of the rows. */
export function printFindings(findings: Findings): readonly string[] {
  return listRows(findings).flatMap(([row, failures]) => {
    return failures.map((failure) => `${row}: ${failure}`)
  })
}

/** Returns a mark for each row: `+` if nothing is wrong with it, else `-`. */
export function printMarks(findings: Findings): string {
  return listRows(findings)
    .map(([, failures]) => (failures.length === 0 ? '+' : '-'))
    .join('')
}

function listRows(findings: Findings) {
  // The keys of the table are the rows.
  const names = Object.keys(rows) as Row[]
  return names.map((row) => [row, findings[row]] as const)
}
