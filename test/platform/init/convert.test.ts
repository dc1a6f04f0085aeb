import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { convertDescription } from '../../../scripts/init/convert.ts'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import type { JsonObject } from '../../../scripts/pipeline/description.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { createApiKey } from '../../../server/auth/api-key.ts'
import { readConfig } from '../../../server/config.ts'
import { startMockService } from '../../../server/mock/mock.ts'
import { conversions, type Fragment, rejected } from './conversions.ts'

/** Rules about how well a description is written; it is served without. */
const aboutWriting =
  / (?:rule\/(?:parameter|header|media-type)-example|service\/component-schema-example|info-license|operation-(?:summary|tag-defined)|tag-description|rule\/deprecation-facts) /

let folder: string
let platform: JsonObject

beforeAll(async () => {
  platform = parse(await readFile(projectPath('spec/openapi.yaml'), 'utf8'))
  folder = await mkdtemp(join(tmpdir(), 'convert-'))
  return () => rm(folder, { recursive: true })
})

const convert = (openapi: string, fragment: Fragment) =>
  convertDescription({ openapi, info: { title: 'A', version: '1.0.0' }, ...fragment }, platform)

/** Writes a description into a file; returns it, and what the linter finds that must be changed. */
async function lint(name: string, description: JsonObject) {
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify(description))
  const findings = await findProblems(await openDescription(file), 'strict')
  const errors = findings.map(({ line }) => line).filter((line) => !aboutWriting.test(line))
  return { file, errors }
}

test.for(Object.entries(conversions))('%s', async ([name, [version, before, after]]) => {
  const { description, changes } = await convert(version, before)
  expect(description).toMatchObject(after)
  expect(changes).not.toEqual([])
  expect((await lint(name, description)).errors).toEqual([])
})

test.for(Object.entries(rejected))('%s is rejected', async ([, [fragment, reason]]) => {
  await expect(convert('3.1.0', fragment)).rejects.toThrow(reason)
})

test('the same change in many places is listed once', async () => {
  const paths = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`/${name}`, { get: { responses: { 204: {} } } }]),
  )
  const { changes } = await convert('3.1.0', { paths })
  const what = 'operationId added, from the method and the path'
  expect(changes).toContainEqual({ where: 'GET /a and 3 other places', what })
})

test('x-common is taken over instead of the common responses', async () => {
  const withCommon = { ...platform, 'x-common': { headers: {} } }
  const paths = { '/a': { get: { responses: { 204: { description: 'Done.' } } } } }
  const given = { openapi: '3.1.0', info: { title: 'A', version: '1.0.0' }, paths }
  const { description } = await convertDescription(given, withCommon)
  expect(description['x-common']).toEqual({ headers: {} })
  const operation = { operationId: 'getA', responses: paths['/a'].get.responses }
  expect(description['paths']).toEqual({ '/a': { get: operation } })
})

test('a public description compiles, is served, and has nothing of the API that is here', async () => {
  const museum = parse(await readFile(join(import.meta.dirname, 'museum.yaml'), 'utf8'))
  const { description } = await convertDescription(museum, platform)
  expect(JSON.stringify(description['components'])).not.toMatch(/animal|\bpets?\b|category/i)
  const { file, errors } = await lint('museum', description)
  expect(errors).toEqual([])

  const { artifacts } = await compile(file, 'minimal')
  const out = join(folder, 'museum')
  await writeFolder(out, artifacts)
  const { operations, basePath } = await import(pathToFileURL(join(out, 'operations.ts')).href)
  const api = {
    description: JSON.parse(artifacts.get('openapi.json') ?? ''),
    ...{ operations, basePath, version: '1.2.1', createHandlers: () => ({}) },
    referencePage: new URL('file:///none'),
  }
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const service = await startMockService(config, pino({ level: 'silent' }), { api })
  onTestFinished(() => service.stop())
  const headers = { Authorization: `Bearer ${createApiKey()}` }
  const response = await fetch(`${service.origin}${basePath}/museum-hours`, { headers })
  const [first] = await response.json()
  expect(first).toEqual({ date: '2023-09-11', timeOpen: '09:00', timeClose: '18:00' })
})
