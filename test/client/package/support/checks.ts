import { stripTypeScriptTypes } from 'node:module'
import { expect } from 'vitest'
import { operations } from '../../../../generated/operations.ts'
import { startTestService } from '../../../helpers/service.ts'
import { createConsumer, installWithTools, readSource, run } from './package.ts'
import { programs, readOptions } from './readme.ts'

const sunset = new Date(operations.getPet.deprecation.sunset)

/** The result of `journey.ts` with an empty store, wherever it runs. */
export const destination = {
  walked: ['Rex', 'Mia', 'Ömür 🐈', 'Kim', 'Bo'],
  found: 'Ömür 🐈',
  notices: [`getPet ${sunset.toISOString()}`],
  rejected: { code: 'invalid_request', status: 400, attempts: 1 },
  hasRequestId: true,
  hasRateLimit: true,
  isAborted: true,
}

/** Reads `journey.ts` without its types. */
export async function readJourney(): Promise<string> {
  return stripTypeScriptTypes(await readSource('client/package/support/journey.ts'))
}

const travel = `
// A warning fails the program.
process.on('warning', (warning) => { throw warning })
const travel = async (client) => {
  const { journey } = await import('./journey.js')
  console.log(JSON.stringify([process.version, await journey(client, JSON.parse(process.env.TO))]))
}
`

type Loader = readonly [name: string, program: string]

/** The ways to load the package on Node. */
export const loaders: readonly Loader[] = [
  ['import.mjs', `import * as client from 'animal-store-client'; ${travel} await travel(client)`],
  ['require.cjs', `${travel} void travel(require('animal-store-client'))`],
]

/** Runs the journey with a program of Node. */
export async function checkJourney(node: string, [name, program]: Loader) {
  const { baseUrl, apiKey } = await startTestService()
  const folder = await createConsumer({ 'journey.js': await readJourney(), [name]: program })
  const env = { TO: JSON.stringify({ baseUrl, apiKey }) }
  const [version, arrived] = JSON.parse(await run(node, ['--throw-deprecation', name], folder, env))
  expect(arrived).toEqual(destination)
  return version
}

/** What the snippets of the README print, with three pets in the store. */
export const printed: ReadonlyMap<string, RegExp> = new Map([
  ['First call', /^4 Rex\n$/],
  ['Methods', /^4 2\n$/],
  ['Data with its response', /^2 200 [\w-]+ 9\d{5}\n$/],
  ['Types', /^Bo: available, Bo: available\nPuppy\n$/],
  ['Pages', /^second page: 1\npets: Bo, Bo, Bo\npage of 2\npage of 1\n$/],
  ['Errors', /^invalid_request 400 .+\n\/body\/name .+\nask for help with [\w-]+\n$/],
  ['Retries', /^the same pet: true\n$/],
  ['Timeouts and cancelling', /^in time: 3\nThe user went away\.\n$/],
  ['Rate limit', /^9\d{5} of 1000000 left until \d{4}-\d\d-\d\dT.+Z\n$/],
  ['Bulk jobs', /^added: 30\n$/],
  ['Deprecation', /^getPet will be removed on \d{4}-\d\d-\d\dT.+Z\. Use .+\.\n$/],
  ['Beneath the methods', /^200 2 undefined\n$/],
  ['Your own fetch', /^GET \/v1\/pets 200\n$/],
  ['Testing your code', /^from the examples: .+\napi_key_banned\nTom\n$/],
])

const commonJs = `import { createAnimalStore, type Page } from 'animal-store-client'
const store = createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key' })
export const list: PromiseLike<Page<{ id: number }, unknown>> = store.listPets()
`

/** A program that compiles if the README has each option in its table, and no others. */
const options = `import type { AnimalStoreOptions, ListOptions } from 'animal-store-client'
type OfCalls = Exclude<keyof ListOptions, 'signal' | 'headers'>
export const named: Record<keyof AnimalStoreOptions | OfCalls, 0> = {
  ${readOptions()
    .map((name) => `${name}: 0,`)
    .join('')}
}
`

const emit = { noEmit: true, declaration: true, target: 'es2022' }
const strict = { ...emit, strict: true, skipDefaultLibCheck: true }
const inBrowsers = { ...strict, lib: ['es2022', 'dom', 'dom.iterable'], types: [] as string[] }
const exact = { exactOptionalPropertyTypes: true, allowImportingTsExtensions: true }
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const strictest = {
  ...inBrowsers,
  ...exact,
  ...bundler,
  types: ['node'],
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
}
const uses = ['client.test-d.ts', 'journey.ts', 'options.ts']
const snippets = Array.from(programs.keys(), (heading) => `${heading.replaceAll(' ', '-')}.ts`)

type Config = readonly [compilerOptions: object, files: readonly string[]]

/** Compilations of programs that use the package, with the types of Node 26 and of MSW. */
export const withTools: readonly Config[] = [
  [{ ...inBrowsers, ...exact, ...nodenext }, uses],
  [
    { ...strict, ...exact, ...nodenext, lib: ['es2022'], types: ['node'] },
    [...uses, 'commonjs.cts'],
  ],
  [strictest, ['mock-handlers.test-d.ts', ...snippets]],
]

/** Compilations that every supported version of TypeScript can do. */
export const everywhere: readonly Config[] = [
  [{ ...inBrowsers, ...exact, module: 'node16', moduleResolution: 'node16' }, uses],
  [{ ...inBrowsers, ...exact, ...bundler }, uses],
  [{ ...inBrowsers, ...exact, module: 'preserve', moduleResolution: 'bundler' }, uses],
  [{ ...inBrowsers, ...nodenext }, ['journey.ts']],
]

/** Type-checks programs that use the package with a compiler. */
export async function checkTypes(compiler: string, configs: readonly Config[]): Promise<void> {
  const files: Record<string, string> = { 'options.ts': options, 'commonjs.cts': commonJs }
  for (const name of ['equal.ts', 'client.test-d.ts', 'mock-handlers.test-d.ts']) {
    files[name] = await readSource(`types/${name}`)
  }
  files['journey.ts'] = await readSource('client/package/support/journey.ts')
  Array.from(programs.values(), (program, at) =>
    Object.assign(files, { [`${snippets[at]}`]: program }),
  )
  const names = configs.map(([compilerOptions, sources], at) => {
    files[`${at}.json`] = JSON.stringify({ compilerOptions, files: sources })
    return `${at}.json`
  })
  const folder = await createConsumer(files, installWithTools())
  expect(await run(process.execPath, [compiler, '--build', ...names], folder)).toBe('')
}
