import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { apiKeyMarker } from '../../../server/process/names.ts'
import { createProjectCopy, editSpec, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { drop, type Edit, remove, set } from '../../helpers/spec-edit.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { readBase } from '../pipeline/support/workspace.ts'
import { toHar } from './support/har.ts'

/** The scripts of the project and the service, with the fixture API as 1.0.0. */
const parts = ['package.json', 'redocly.yaml', 'scripts', 'spec/platform.yaml', 'server']
const copy = await createProjectCopy(parts, afterAll)
const write = (name: string, text: string) => writeFile(join(copy, name), text)
const diff = (args: string) => tryInCopy(copy, `node scripts/diff.ts ${args}`)
const readDiff = async (args: string): Promise<UncheckedJson> =>
  JSON.parse(await runInCopy(copy, `node scripts/diff.ts ${args} --format json`))

beforeEach(async () => {
  await write('spec/openapi.yaml', await readBase())
  await write('spec/released.yaml', await readBase())
})

const dayLength = 86_400_000
const dateBefore = (days: number) => new Date(Date.now() - days * dayLength).toISOString()

const removed = remove('paths /tools/{toolId}/manual')

/** Writes what keys have called, some days ago. */
async function writeUsage(keys: readonly object[], changes: object = {}): Promise<void> {
  const [from, to] = [dateBefore(29).slice(0, 10), dateBefore(0).slice(0, 10)]
  const usage = { format: 1, api: packageJson.name, writtenAt: dateBefore(0), from, to, keys }
  await write('usage.json', JSON.stringify({ ...usage, ...changes }))
}

/** Returns a key that has called an operation on some days, given how long ago each is. */
function caller(id: string, operationId: string, ...days: readonly number[]) {
  const uses = days.map((ago) => ({ day: dateBefore(ago).slice(0, 10), requests: 10 + ago }))
  const operations = [{ operationId, days: uses }]
  return { id, name: `<b>|${id}@x`, plan: 'free', prefix: 'k', isValid: true, operations }
}

test('a breaking change of an operation names the keys that called it in 30 days, and another one says that there are none', async () => {
  await editSpec(
    copy,
    removed,
    drop('components schemas Status enum', 'sold'),
    set('paths /tools/{toolId} get operationId', 'findTool'),
  )
  await writeUsage(
    [
      caller('key_few', 'getManual', 3),
      caller('key_many', 'getManual', 0, 20, 40),
      caller('key_old', 'getManual', 30),
      caller('key_other', 'listTools', 1),
    ],
    { from: dateBefore(80).slice(0, 10) },
  )
  const day = (ago: number) => dateBefore(ago).slice(0, 10)
  const few = `<b>|key_few@x (key_few), plan free, 13 requests, last on ${day(3)}`
  const many = `<b>|key_many@x (key_many), plan free, 40 requests, last on ${day(0)}`
  const known = `2 keys called it in 30 days: ${many}; ${few}.`
  const { output } = await diff('--usage usage.json')
  const blocks = output.split('\n\n')
  const ofPlace = (place: string) => blocks.find((block) => block.startsWith(`major  ${place} `))
  expect(ofPlace('GET /tools/{toolId}/manual')).toContain(`\n       ${known}`)
  // The id that it had when it was called.
  expect(ofPlace('GET /tools/{toolId}')).toContain('\n       No key called it in 30 days.')
  expect(output).toContain(`requests from ${day(29)} to ${day(0)}.`)

  const markdown = (await diff('--usage usage.json --format markdown')).output
  expect(markdown).toContain('&lt;b>\\|key_many@\u200bx (key_many), plan free')
  const github = (await diff('--usage usage.json --format github')).output
  expect(github).toMatch(
    /^::warning .*GET \/tools\/{toolId}\/manual::.* 2 keys called it in 30 days/m,
  )
  const { changes } = await readDiff('--usage usage.json')
  const removal = changes.find(({ place }: { place: string }) => place.endsWith('/manual'))
  expect(removal.callers).toMatchObject([
    { id: 'key_many', requests: 40, lastDay: day(0) },
    { id: 'key_few', requests: 13, lastDay: day(3) },
  ])
})

test('usage that was counted for a shorter time, or written some days ago, says so', async () => {
  await editSpec(copy, removed)
  const from = dateBefore(4).slice(0, 10)
  await writeUsage([], { from, writtenAt: dateBefore(9) })
  const { output } = await diff('--usage usage.json')
  expect(output).toContain(`No key called it in 30 days (counted since ${from}).`)
  expect(output).toContain('usage.json was written 9 days ago; write it again: npm run usage')
  await writeUsage([caller('key_a', 'getManual', 3)], { writtenAt: dateBefore(45) })
  const old = (await diff('--usage usage.json')).output
  expect(old).toContain('It is not known who is affected: usage.json was written 45 days ago; ')
  expect(old).not.toMatch(/key_a|called it/)
})

test('a file that is no usage of this API is rejected in one line', async () => {
  for (const [text, error] of [
    ['{', /^usage\.json is no JSON\n$/],
    ['[]', /^usage\.json does not say who has called which operations; .*\n$/],
    [{ format: 2 }, /^usage\.json has the format 2, which another version writes; .*\n$/],
    [{ api: `${packageJson.name}-2` }, /^usage\.json is about \S+-2, and this project is \S+\n$/],
    [{ keys: [{ id: 'a' }] }, /^usage\.json is damaged; write it with: npm run usage .*\n$/],
    [{ from: '2026-11-20', to: 'now' }, /^usage\.json is damaged; .*\n$/],
    [{ from: '2026-11-20', to: '2026-13-01' }, /^usage\.json is damaged; .*\n$/],
  ] as const) {
    if (typeof text === 'string') {
      await write('usage.json', text)
    } else {
      await writeUsage([], text)
    }
    expect(await diff('--usage usage.json')).toEqual({
      status: 2,
      output: expect.stringMatching(error),
    })
  }
  const none = await diff('--usage none.json')
  expect(none).toEqual({ status: 2, output: 'there is no file none.json\n' })
})

const secret = `${apiKeyMarker}0123456789abcdefghijKLMNOPQRSTUVWXYZ`
const http2 = { ':authority': 'staging.tool-library.example', ':path': '/lending/v2/tools' }
const saw = { kind: 'saw', name: 'Ryoba' }
const longName = { ...saw, name: 'x'.repeat(60) }
const gzipped = {
  mimeType: 'application/json',
  encoding: 'base64',
  text: gzipSync(JSON.stringify(longName)).toString('base64'),
}
const trace = '6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55'

/** The requests of a consumer, with what the edited description rejects. */
const recorded = [
  { url: '/tools', headers: { ...http2, authorization: `Bearer ${secret}`, cookie: 'shelf=7' } },
  { url: '/tools?limit=20' },
  {
    url: '/tools?limit=30',
    rejected: ['listTools', 'GET /tools', '/query/limit must be at most 20'],
  },
  {
    url: '/tools?limit=50',
    method: 'HEAD',
    rejected: ['listTools', 'GET /tools', '/query/limit must be at most 20'],
  },
  { url: '/tools?limit=0x10' },
  { url: '/tools?tag=a&tag=b' },
  {
    url: '/tools?tag=a&tag=b&tag=c',
    rejected: ['listTools', 'GET /tools', '/query/tag must have at most 2 items'],
  },
  { url: '/tools?ids=1,2', headers: { 'x-trace': trace }, cookies: { shelf: '7' } },
  { url: '/tools', method: 'POST', json: saw },
  {
    url: '/tools',
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    json: saw,
  },
  {
    url: '/tools',
    method: 'POST',
    headers: { 'content-encoding': 'gzip' },
    postData: gzipped,
    rejected: ['createTool', 'POST /tools', '/body/name must have at most 50 characters'],
  },
  {
    url: '/tools/1',
    method: 'PUT',
    json: longName,
    rejected: ['replaceTool', 'PUT /tools/{toolId}', '/body/name must have at most 50 characters'],
  },
  {
    url: '/tools',
    method: 'POST',
    postData: { mimeType: 'application/json', text: '{"kind":"saw","kind":"saw","name":"a"}' },
  },
  { url: '/tools/1' },
  { url: 'http://127.0.0.1:3000/lending/v2/tools/2', method: 'DELETE' },
  {
    url: '/tools/1/manual',
    rejected: [
      'getManual',
      'GET /tools/{toolId}/manual',
      'there is no GET /tools/{toolId}/manual any more',
    ],
  },
  { url: '/members/anna/loans/7.json' },
  {
    url: '/members/%c3%a4nn/loans/7.json',
    rejected: [
      'getLoan',
      'GET /members/{member}/loans/{number}.json',
      '/path/member must have at least 4 characters',
    ],
  },
  { url: '/opening-hours' },
  { url: '/tools/1', method: 'PATCH', json: { note: null } },
  // Requests of the page to others.
  { url: 'https://cdn.example/logo.png' },
  { url: 'https://stats.example/v1/events', method: 'POST', json: { secret } },
  { url: 'wss://staging.tool-library.example/lending/v2/tools' },
  { url: '/tools', method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } },
] as const

const edits: readonly Edit[] = [
  set('components parameters Limit schema maximum', 20),
  set('components parameters Tags schema maxItems', 2),
  set('components schemas ToolFields properties name maxLength', 50),
  removed,
  set('components parameters Member schema minLength', 4),
]

test('of 20 recorded requests exactly the 7 that an edit rejects are listed, each with operation and reason', async () => {
  await editSpec(copy, ...edits)
  await write('shop.har', toHar(recorded))
  const { requests, ...whole } = await readDiff('--requests shop.har')
  const expected = recorded.flatMap((request, index) => {
    if (!('rejected' in request)) {
      return []
    }
    const [operationId, operation, reason] = request.rejected
    const status = operationId === 'getManual' ? 404 : 400
    return [{ entry: index + 1, operationId, operation, status, reasons: [reason] }]
  })
  expect(expected).toHaveLength(7)
  expect(requests).toEqual([
    {
      file: 'shop.har',
      requests: 20,
      others: 4,
      rejectedBefore: 2,
      rejected: expected,
      unreadable: [],
    },
  ])
  const { output } = await diff('--requests shop.har')
  expect(output).toContain(
    '\n\nshop.har: of 20 recorded requests, 7 are rejected by the edited contract; 2 were rejected before, too. 4 other entries are no requests to this API.\n' +
      '  entry 3  listTools (GET /tools)  400: /query/limit must be at most 20\n',
  )
  const markdown = (await diff('--requests shop.har --format markdown')).output
  expect(markdown).toContain(
    '| 16 | `getManual`, `GET /tools/{toolId}/manual` | 404: there is no GET /tools/{toolId}/manual any more |\n',
  )
  const github = (await diff('--requests shop.har --format github')).output
  expect(github).toMatch(
    /^::warning title=recorded requests::shop\.har: .*%0A {2}entry 3 {2}listTools/m,
  )
  for (const printed of [JSON.stringify([whole, requests]), output, markdown, github]) {
    expect(printed).not.toMatch(/0123456789abcdefghij|shelf=7/)
  }
})

test('--fail-on ends with status 1 for recorded requests that are rejected, or for a breaking change', async () => {
  await write('shop.har', toHar(recorded))
  await write('vet.har', toHar([{ url: '/tools?limit=50' }]))
  const statusOf = async (args: string) => (await diff(args)).status
  const both = '--requests vet.har --requests shop.har'
  expect(await statusOf(`${both} --fail-on rejected`)).toBe(0)
  await editSpec(copy, removed)
  expect(await statusOf('')).toBe(0)
  expect(await statusOf('--fail-on breaking')).toBe(1)
  expect(await statusOf(`${both} --fail-on rejected`)).toBe(1)
  expect(await statusOf('--requests vet.har --fail-on rejected')).toBe(0)
})

const text = { mimeType: 'text/plain', text: 'a' }
const lossy = { ...gzipped, encoding: 'utf8', text: gzipSync('{}').toString() }

test('requests that cannot be sent again, or that no operation has, are said to be not checked', async () => {
  await write(
    'shop.har',
    toHar([
      { url: '/tools', method: 'POST', bodySize: 27 },
      {
        url: '/tools',
        method: 'POST',
        postData: { mimeType: 'multipart/form-data', params: [] },
        bodySize: 9,
      },
      { url: '/tools', headers: { 'a b': 'c' } },
      {
        url: '/tools',
        method: 'POST',
        postData: {
          mimeType: 'application/x-www-form-urlencoded',
          params: [{ name: 'a', value: 'b' }],
        },
      },
      { url: '/tools?q=ä ö', headers: { 'x-trace': 'ü' } },
      { url: '/tools', method: 'POST', postData: text },
      { url: '/tools', method: 'POST', headers: { 'content-encoding': 'gzip' }, postData: lossy },
      { url: '/tools', method: 'POST', postData: { ...text, text: '' }, bodySize: 9 },
    ]),
  )
  const { requests } = await readDiff('--requests shop.har')
  expect(requests).toEqual([
    {
      file: 'shop.har',
      requests: 3,
      others: 0,
      rejectedBefore: 3,
      rejected: [],
      unreadable: [
        { entry: 1, reason: 'its body was not recorded' },
        { entry: 2, reason: 'its body was not recorded' },
        { entry: 3, reason: 'its method or a header is not valid HTTP' },
        { entry: 7, reason: 'its compressed body was recorded as text' },
        { entry: 8, reason: 'its body was not recorded' },
      ],
    },
  ])
})

test('a file that is no recording of this API is rejected in one line, without a text of it', async () => {
  for (const [content, error] of [
    [
      `{"log": "Bearer ${secret}" "}`,
      /^shop\.har is no JSON( \(at character \d+\))?; record it again, .*\n$/,
    ],
    [`Bearer ${secret}`, /^shop\.har is no JSON.*\n$/],
    [JSON.stringify({ [secret]: 1 }), /^shop\.har is no recording in the format HAR: .*\n$/],
    [toHar([]), /^shop\.har has no requests: log\.entries is empty\n$/],
    [
      toHar([{ url: `https://a.example/${secret}` }]),
      /^shop\.har has no request to this API: .* below \/lending\/v2\n$/,
    ],
  ] as const) {
    await write('shop.har', content)
    const ended = await diff('--requests shop.har')
    expect(ended).toEqual({ status: 2, output: expect.stringMatching(error) })
    expect(ended.output).not.toContain(secret.slice(4))
  }
  const none = await diff('--requests none.har')
  expect(none).toEqual({ status: 2, output: 'there is no file none.har\n' })
})

test.for([
  ['--fail-on minor', /^--fail-on must be one of breaking, rejected, not 'minor'; usage: .*\n$/],
  ['--fail-on rejected', /^--fail-on rejected needs --requests; usage: .*\n$/],
] as const)('npm run diff -- %s is rejected in one line', async ([args, error]) => {
  expect(await diff(args)).toEqual({ status: 2, output: expect.stringMatching(error) })
})
