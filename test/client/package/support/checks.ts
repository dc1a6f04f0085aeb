import { expect } from 'vitest'
import { examples } from '../../../../generated/examples.ts'
import { operations } from '../../../../generated/operations.ts'
import { startTestService } from '../../../helpers/service.ts'
import { runCommand } from './command.ts'
import {
  createConsumer,
  findCompiler,
  findNode,
  installWithTools,
  readModule,
  readSource,
} from './installed-package.ts'

const sunset = new Date(operations.getPet.deprecation.sunset)

/** The result of `consumer/journey.ts` with an empty store, wherever it runs. */
export const destination = {
  page: ['Rex', 'Mia'],
  hasNext: true,
  walked: ['Rex', 'Mia', 'Ömür 🐈', 'Kim', 'Bo'],
  sizes: [2, 2, 1],
  found: 'Ömür 🐈',
  foundTogether: 200,
  notices: [`getPet ${sunset.toISOString()}`],
  rejected: { code: 'invalid_request', status: 400, attempts: 1 },
  paths: ['/body/name'],
  hasRequestId: true,
  hasRateLimit: true,
  wereLimitsReported: true,
  isAborted: true,
}

const run = `
const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env
// A warning, such as that of too many listeners, fails the program.
process.on('warning', (warning) => { throw warning })
const travel = async (client) => {
  const { journey } = await import('./journey.js')
  console.log(JSON.stringify([process.version, await journey(client, { baseUrl, apiKey })]))
}
`
const programs = {
  'import.mjs': `import * as client from 'animal-store-client'
    ${run} await travel(client)`,
  'dynamic-import.cjs': `${run} import('animal-store-client').then(travel)`,
  'require.cjs': `${run} void travel(require('animal-store-client'))`,
}

/** The ways to load the package on Node. */
export const loaders = Object.entries(programs)

/** Runs the journey on a version of Node, and expects that it arrives. */
export async function checkJourney(major: number, [name, program]: [string, string]) {
  const { baseUrl, apiKey } = await startTestService()
  const files = { 'journey.js': await readModule('journey.ts'), [name]: program }
  const env = { BASE_URL: baseUrl, API_KEY: apiKey }
  const args = ['--throw-deprecation', name]
  const output = await runCommand(await findNode(major), args, await createConsumer(files), env)
  const version = expect.stringMatching(`^v${major}\\.`)
  expect(JSON.parse(output)).toEqual([version, destination])
}

const strict = { strict: true, noEmit: true, target: 'es2022', skipDefaultLibCheck: true }
const inBrowsers = { ...strict, lib: ['es2022', 'dom', 'dom.iterable'], types: [] as string[] }
const onNode = { ...strict, lib: ['es2022'], types: ['node'] }
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
const resolutions = [
  nodenext,
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'preserve', moduleResolution: 'bundler' },
]
const uses = ['features.ts', 'wrong-uses.ts', 'journey.ts']
const exact = { exactOptionalPropertyTypes: true }

const everywhere = [
  ...resolutions.map((resolution) => ({
    compilerOptions: { ...inBrowsers, ...resolution, ...exact },
    files: [...uses, 'exact.ts'],
  })),
  { compilerOptions: { ...inBrowsers, ...nodenext }, files: uses },
]
// The types of Node 26 and of MSW need TypeScript 5.9.
const withTools = [
  {
    compilerOptions: { ...onNode, ...nodenext, ...exact },
    files: [...uses, 'exact.ts', 'commonjs.cts'],
  },
  {
    compilerOptions: { ...inBrowsers, ...nodenext, types: ['node'] },
    files: ['mock-handlers.ts'],
  },
]

/** Type-checks the files of `consumer` with a version of TypeScript, and expects no error. */
export async function checkTypes(version: string): Promise<void> {
  const configs = version === '5.4' ? everywhere : [...everywhere, ...withTools]
  const sources = [...new Set(configs.flatMap(({ files }) => files))]
  const texts = sources.map(async (name) => [name, await readSource(name)] as const)
  const named = configs.map((config, at) => [`${at}.json`, JSON.stringify(config)] as const)
  const files = Object.fromEntries([...(await Promise.all(texts)), ...named])
  const folder = await createConsumer(files, installWithTools())
  const names = named.map(([name]) => name)
  const args = [await findCompiler(version), '--build', ...names]
  expect(await runCommand(process.execPath, args, folder)).toBe('')
}

const mocking = `
import { createAnimalStore } from 'animal-store-client'
import { createStandIn } from 'animal-store-client/testing'
import { setupServer } from 'msw/node'

const baseUrl = 'https://animals.example/v1'
const mocks = createStandIn(baseUrl)
const server = setupServer(...mocks.handlers)
server.listen()
const store = createAnimalStore({ baseUrl, apiKey: 'ask_key', retry: false })
const created = await store.createPet({ name: 'Any', categoryId: 1 })
server.use(mocks.listPets.answers(429))
const { code, retryAfter } = await store.listPets().catch((error) => error)
server.close()
console.log(JSON.stringify([created, code, retryAfter]))
`

/** Runs a program that uses the mock handlers with a version of MSW on a version of Node. */
export async function checkMockHandlers(msw: string | undefined, major: number): Promise<void> {
  const folder = await createConsumer({ 'test.mjs': mocking }, installWithTools(msw))
  const output = await runCommand(await findNode(major), ['test.mjs'], folder)
  const { bodies, headers } = examples.listPets[429]
  const [created] = Object.values(examples.createPet[201].bodies)
  const code = Object.values(bodies)[0]?.code
  expect(JSON.parse(output)).toEqual([created, code, Number(headers['Retry-After'])])
}
