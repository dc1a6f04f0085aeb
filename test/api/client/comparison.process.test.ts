import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle, gzipped } from '../../helpers/client-package/bundle.ts'
import { run } from '../../helpers/client-package/consumer.ts'
import { project } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'

const readme = readFileSync(join(project, 'client/README.md'), 'utf8')

/** Returns the bytes that the README says of a client, and of its options for React Query beside it. */
function readBytes(client: string): readonly number[] {
  const row = readme.split('\n').find((line) => line.includes('|') && line.includes(client)) ?? ''
  return Array.from(row.matchAll(/\| (\d[\d,]*\d)\b/g), ([, bytes = '']) => {
    return Number(bytes.replace(',', ''))
  })
}

/** Expects bytes, with some freedom for versions of the bundler and of gzip. */
function expectAbout(measured: number, said: number | undefined): void {
  const most = Math.max(0.01 * measured, 30)
  expect(Math.abs(measured - (said ?? 0)), `${measured} bytes, not ${said}`).toBeLessThanOrEqual(
    most,
  )
}

/** Creates a folder in which an application finds the packages of the project. */
function createApplication(): string {
  const folder = createTemporaryFolder()
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const from = (file: string) => join(project, 'client', file)

test('the README has the bytes of openapi-fetch alone', async () => {
  const source = `import createClient from 'openapi-fetch'
    const client = createClient({ baseUrl: 'https://api.example/v1', headers: { Authorization: 'Bearer k' } })
    export const listPets = (query) => client.GET('/pets', { params: { query } })
    export const createPet = (body) => client.POST('/pets', { body })
    export const getPet = (petId) => client.GET('/pets/{petId}', { params: { path: { petId } } })`
  const [bytes] = readBytes('[openapi-fetch]')
  expectAbout(gzipped(await bundle(createApplication(), source)), bytes)
})

test('the README has the bytes of this client, and of its options for React Query', async () => {
  const client = `export { createAnimalStore } from '${from('index.ts')}'`
  const queries = `export { createQueries } from '${from('react-query.ts')}'`
  const [ofClient, ofQueries] = readBytes('| this one |')
  const without = gzipped(await bundle(createApplication(), client))
  expectAbout(without, ofClient)
  const both = gzipped(await bundle(createApplication(), `${client}\n${queries}`))
  expectAbout(both - without, ofQueries)
})

/** Returns the contract with what Redocly CLI reads of pages. */
function describePages(): UncheckedJson {
  const description: UncheckedJson = JSON.parse(
    readFileSync(join(project, 'generated/openapi.json'), 'utf8'),
  )
  description.paths['/pets'].get['x-redoclyPagination'] = { style: 'link', items: '' }
  return description
}

test('the README has the bytes of the client that Redocly CLI generates, and of its hooks', async () => {
  const folder = createApplication()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(describePages()))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const cli = join(project, 'node_modules/@redocly/cli/bin/cli.js')
  const output = ['--output', 'client.ts', '--import-ext', 'ts']
  const generators = ['--generator', 'typescript', '--generator', 'tanstack-query']
  const args = [cli, 'generate-client', 'openapi.json', ...output, ...generators]
  await run(process.execPath, args, folder, env)

  const [ofClient, ofQueries] = readBytes('[Redocly]')
  const client = `export { client, createPet, getPet, listPets } from './client.ts'`
  const without = gzipped(await bundle(folder, client))
  expectAbout(without, ofClient)
  const options = `export { createQueryFactories } from './client.tanstack.ts'`
  const both = gzipped(await bundle(folder, `${client}\n${options}`, ['@tanstack/react-query']))
  expectAbout(both - without, ofQueries)
})
