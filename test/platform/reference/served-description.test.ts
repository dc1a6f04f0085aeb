import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startMockService } from '../../../server/commands/mock-service.ts'
import { readConfig } from '../../../server/config.ts'
import { limitHeaders } from '../../../server/contract/headers.ts'
import { createApiKey } from '../../../server/security/api-key.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { casesOf } from '../../helpers/conformance/cases.ts'
import {
  type JsonObject,
  readDescription,
  toObject,
} from '../../helpers/conformance/description.ts'
import { createResponseCheck } from '../../helpers/conformance/responses.ts'
import { fixtureWith, startFixtureService } from '../../helpers/fixture-service.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { startReferenceService } from './support/reference-service.ts'

const { basePath } = fixtureApi
const tools = `${basePath}/tools`

/** Requests that the service rejects before a handler, or that match no operation. */
const others: readonly (readonly [path: string, init: Init])[] = [
  [tools, { key: '' }],
  [tools, { headers: { Accept: 'text/html' } }],
  [tools, { json: '{' }],
  [tools, { json: {}, headers: { 'Content-Type': 'text/plain' } }],
  [tools, { method: 'PURGE' }],
  [tools, { method: 'OPTIONS' }],
  [tools, { method: 'HEAD' }],
  [`${basePath}/nothing`, {}],
]

type Send = Awaited<ReturnType<typeof startFixtureService>>['send']
type Init = NonNullable<Parameters<Send>[1]>

/** Returns what a proxy that validates responses by a description would reject, and the number of responses. */
async function findViolations(send: Send, description: JsonObject) {
  const check = createResponseCheck(readDescription(description))
  const violations: string[] = []
  let count = 0
  const sendChecked = async (path: string, init: Init) => {
    const response = await send(path, init)
    const { status, headers } = response
    const request = { method: init.method ?? (init.json === undefined ? 'GET' : 'POST'), path }
    violations.push(...check(request, { status, headers, body: await response.text() }))
    count++
  }
  const read = readDescription(fixtureApi.description)
  for (const operation of read.operations) {
    const cases = casesOf(read, operation)
    const valid = cases.filter(({ kinds }) => kinds.length === 0)
    const invalid = cases.filter(({ kinds }) => kinds.length > 0)
    for (const { request } of [...valid.slice(0, 3), ...invalid.slice(0, 3)]) {
      const { path, ...init } = request
      await sendChecked(path, init)
    }
  }
  for (const [path, init] of others) {
    await sendChecked(path, init)
  }
  return { violations, count }
}

/** Returns the names of the headers that some response of a description requires. */
function requiredHeaders(description: JsonObject): ReadonlySet<string> {
  const { resolve, operations, root } = readDescription(description)
  const { responses } = toObject(root['components'])
  const undeclared = toObject(root['x-undeclared-operations'])
  const all = [responses, undeclared, ...operations.map((operation) => operation.responses)]
  const names = all.flatMap((some) =>
    Object.values(toObject(some)).flatMap((response) => {
      const headers = Object.entries(toObject(resolve(response)['headers']))
      return headers.filter(([, header]) => resolve(header)['required'] === true)
    }),
  )
  return new Set(names.map(([name]) => name))
}

test('with RATE_LIMITS=off, a proxy that validates responses by /openapi.json passes all of them', async () => {
  const { send, store } = await startFixtureService({ RATE_LIMITS: 'off' })
  const anonymous = { key: '' }
  const description: JsonObject = await (await send('/openapi.json', anonymous)).json()
  const yaml = await (await send('/openapi.yaml', anonymous)).text()
  expect(parse(yaml)).toEqual(description)
  // A reader of YAML 1.1 takes a date without quotes for no text.
  expect(parse(yaml, { version: '1.1' })).toEqual(description)
  const required = requiredHeaders(description)
  for (const name of limitHeaders) {
    expect(required).not.toContain(name)
  }
  expect(required).toContain('X-Request-Id')
  const { violations, count } = await findViolations(send, description)
  expect(violations).toEqual([])
  expect(count).toBeGreaterThan(30)
  // The test service judges this one.
  await store.close()
  expect((await send(tools)).status).toBe(503)
})

test('with RATE_LIMITS=off, the reference at /docs requires no header that is not sent', async () => {
  const { send } = await startReferenceService(undefined, undefined, { RATE_LIMITS: 'off' })
  const response = await send('/docs', { key: '' })
  expect(response.status).toBe(200)
  const [, json = ''] =
    /<script id="description"[^>]*>(.*)<\/script>/.exec(await response.text()) ?? []
  const required = requiredHeaders(JSON.parse(json))
  for (const name of limitHeaders) {
    expect(required).not.toContain(name)
  }
  expect(required).toContain('X-Request-Id')
})

test('with RATE_LIMITS=on, the description is served as it was compiled', async () => {
  const { send } = await startFixtureService()
  const served = await (await send('/openapi.json', { key: '' })).json()
  expect(served).toEqual(fixtureApi.description)
})

test('the mock keeps the header Prefer that a description declares itself', async () => {
  const prefer = { name: 'prefer', in: 'header', schema: { type: 'string' }, required: true }
  const api = fixtureWith({
    edit({ paths }) {
      paths['/tools'].get.parameters.push(prefer)
    },
  })
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }), api)
  onTestFinished(() => stop())
  const response = await fetch(`${origin}/openapi.json`)
  const { paths }: UncheckedJson = await response.json()
  expect(paths['/tools'].get.parameters).toContainEqual(prefer)
  expect(JSON.stringify(paths['/tools'].get.parameters)).not.toContain('"Prefer"')
})

test('the mock declares the header Prefer, and Preference-Applied in each of its responses', async () => {
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }), fixtureApi)
  onTestFinished(() => stop())
  const described: JsonObject = await (await fetch(`${origin}/openapi.json`)).json()
  const { operations, resolve } = readDescription(described)
  const check = createResponseCheck(readDescription(described))
  for (const { path, parameters, responses } of operations) {
    expect(
      parameters.map(({ name }) => name),
      path,
    ).toContain('Prefer')
    for (const response of Object.values(responses)) {
      const headers = toObject(resolve(response)['headers'])
      expect(Object.keys(headers), path).toContain('Preference-Applied')
    }
  }
  for (const prefer of ['code=200, example=empty', 'code=404', 'code=429, example=banned']) {
    const headers = { Authorization: `Bearer ${createApiKey()}`, Prefer: prefer }
    const response = await fetch(origin + tools, { headers })
    const received = { status: response.status, headers: response.headers }
    const body = await response.text()
    expect(check({ method: 'GET', path: tools }, { ...received, body })).toEqual([])
  }
})
