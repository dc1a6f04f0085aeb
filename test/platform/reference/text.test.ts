import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeSamples } from '../../../scripts/pipeline/code-samples.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import type { JsonObject } from '../../../server/description/json.ts'
import { describeForPage } from '../../../server/docs/page-description.ts'
import { printReference } from '../../../server/docs/text/reference-text.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { readDescription, toObject } from '../../helpers/conformance/description.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { project } from '../../helpers/program.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { startReferenceService } from './support/reference-service.ts'

const anonymous = { key: '' }
const generated = join(project, 'test/fixture-api/generated/reference.md')

/** Returns the reference as the service of the fixture API sends it. */
async function readText(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { send } = await startReferenceService(undefined, undefined, environment)
  return (await send('/docs/index.md', anonymous)).text()
}

/** Returns the section below a heading, up to the next one of its level or above. */
function sectionOf(text: string, heading: string): string {
  const [level = ''] = /^#+/.exec(heading) ?? []
  const [, after = ''] = text.split(`\n${heading}\n`)
  const [section = ''] = after.split(new RegExp(`^#{1,${level.length}} `, 'm'))
  return section
}

/** Returns the rows of the tables of a text, each as its cells, without the backticks of code. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1)
    return cells.map((cell) => cell.trim().replaceAll('`', ''))
  })
}

/** Returns the example of a media type that the text shows: its first one. */
function firstExampleOf(media: JsonObject): unknown {
  const [example] = Object.values(toObject(media['examples']))
  return toObject(example)['value']
}

test('the reference as text has each operation with its parameters, body, responses and examples', async () => {
  const text = await readText()
  const { operations, resolve } = readDescription(fixtureApi.description)
  expect(operations.length).toBeGreaterThan(5)
  for (const { node, method, path, parameters, responses } of operations) {
    const { operationId, summary, description } = node
    const section = sectionOf(text, `### ${operationId}`)
    expect(section).toContain(`\`${method.toUpperCase()} ${path}\` ${summary}`)
    expect(section).toContain(description)
    expect(section).toMatch(/^Credentials: (`apiKey`|none)\.$/m)

    const shown = rowsOf(sectionOf(section, `#### Parameters of ${operationId}`))
    const described = parameters.map(({ name, in: location, required }) => [
      name,
      location,
      required === true ? 'yes' : '',
    ])
    const identified = shown.map(([name, location, , required]) => [name, location, required])
    expect(identified.toSorted(), String(operationId)).toEqual(described.toSorted())

    const statuses = rowsOf(sectionOf(section, `#### Responses of ${operationId}`))
    expect(new Set(statuses.map(([status]) => status))).toEqual(new Set(Object.keys(responses)))
    const body = toObject(resolve(node['requestBody']))
    const contents = [
      body,
      ...Object.entries(responses).flatMap(([status, response]) => {
        return status.startsWith('2') ? [toObject(resolve(response))] : []
      }),
    ]
    for (const media of contents.flatMap(({ content }) => Object.values(toObject(content)))) {
      const example = JSON.stringify(firstExampleOf(toObject(media)), undefined, 2)
      expect(section).toContain(`\`\`\`json\n${example}\n\`\`\``)
    }
  }
})

test('the reference as text has each schema, with the types and the bounds of its fields', async () => {
  const text = await readText()
  const { schemas } = toObject(fixtureApi.description['components'])
  for (const [name, schema] of Object.entries(toObject(schemas))) {
    const rows = rowsOf(sectionOf(text, `### ${name}`))
    for (const [field, value] of Object.entries(toObject(toObject(schema)['properties']))) {
      const [, , , description = ''] = rows.find(([shown]) => shown === field) ?? []
      const { minLength, maximum, description: words } = toObject(value)
      expect(description, `${name} ${field}`).toContain(String(words ?? '').replaceAll('`', ''))
      for (const [keyword, bound] of Object.entries({ minLength, maximum })) {
        const isShown = description.includes(`${keyword} ${bound}`)
        expect(isShown, `${name} ${field}`).toBe(bound !== undefined)
      }
    }
  }
  expect(sectionOf(text, '### NewTool')).toContain(
    'one of `NewDrill`, `NewSaw` (told apart by `kind`)',
  )
  expect(sectionOf(text, '### Tools')).toContain('array of `Tool` (maxItems `50`)')
})

test('the reference as text says since when something is deprecated, until when, and what replaces it', async () => {
  const section = sectionOf(await readText(), '### getManual')
  expect(section).toContain(
    '**Deprecated since 20 November 2026.** It will be removed on **31 January 2031**. Use [GET /tools/{toolId}](#gettool) instead.',
  )
})

test('the reference as text says how lists are paged, how credentials are sent, and what errors and headers mean', async () => {
  const text = await readText()
  expect(sectionOf(text, '### listTools')).toContain(
    'Pages: the `Link` header of a page leads to the next one, with `rel="next"` (cursorParam `cursor`).',
  )
  expect(rowsOf(sectionOf(text, '## Credentials'))).toEqual([
    ['apiKey', 'http, scheme bearer', 'An API key, sent as the bearer token.'],
  ])
  const statuses = rowsOf(sectionOf(text, '## Errors')).map(([status]) => status)
  expect(statuses).toEqual(expect.arrayContaining(['400', '401', '404', '405', '429', '503']))
  const headers = rowsOf(sectionOf(text, '## Headers of responses')).map(([name]) => name)
  expect(headers).toEqual(expect.arrayContaining(['X-RateLimit-Limit', 'Retry-After', 'Link']))
  expect(sectionOf(text, '### createTool')).toContain('| `Idempotency-Key` | header |')
})

test('npm run generate writes the reference as the service sends it, which shows how it is configured', async () => {
  const text = readFileSync(generated, 'utf8')
  expect(await readText()).toBe(text)
  const limitOf = (text: string) => {
    const rows = rowsOf(sectionOf(text, '#### Responses of listTools'))
    return rows.map(([, , , headers]) => headers).join()
  }
  expect(limitOf(text)).not.toContain('X-RateLimit-Limit')
  expect(limitOf(await readText({ RATE_LIMITS: 'off' }))).toContain('X-RateLimit-Limit (optional)')
})

test('/llms.txt has the title, the summary, and links that exist, to each operation as well', async () => {
  const { send, origin } = await startFixtureService()
  const overview = await (await send('/llms.txt', anonymous)).text()
  expect(overview).toMatch(
    /^# Tool Library\n\n> A library of tools that can be listed, changed and lent\.\n\n/,
  )
  const links = Array.from(overview.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): \S/gm))
  const addresses = links.map(([, , address = '']) => new URL(address, `${origin}/llms.txt`))
  const operationIds = Object.keys(fixtureApi.operations)
  expect(links.map(([, name]) => name)).toEqual(expect.arrayContaining(operationIds))
  for (const { pathname, hash } of addresses) {
    const response = await send(pathname, anonymous)
    expect(response.status, pathname).toBe(200)
    const headings = Array.from((await response.text()).matchAll(/^#+ (.*)$/gm))
    const slugs = headings.map(([, heading = '']) => `#${heading.toLowerCase()}`)
    expect(hash === '' || slugs.includes(hash), hash).toBe(true)
  }
  expect(overview).toContain('`GET /tools/{toolId}/manual` Get the manual of a tool (deprecated)')
})

test('/docs has a link to the reference as text, and so does its text', async () => {
  const { send } = await startFixtureService()
  const page = await (await send('/docs', anonymous)).text()
  expect(page).toContain('<link rel="alternate" type="text/markdown" href="docs/index.md"')
  expect(page).toContain('[Markdown](docs/index.md)')
})

const item = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } }
const tick = { type: 'object', properties: { at: { $ref: '#/components/schemas/Ring' } } }
// A reference to a part of a schema, which has no name.
const branches = { $ref: '#/components/schemas/Tree/properties/branches' }
const unusual = {
  openapi: '3.1.0',
  info: { title: 'Prices', version: '1.0.0', description: 'Prices.\n\n# Rules\n\nNone.' },
  paths: {
    '/prices': {
      get: {
        summary: 'Watch | prices',
        responses: {
          '200': {
            description: 'The prices.',
            content: { 'text/event-stream': { 'x-item-schema': item } },
          },
        },
        callbacks: {
          moved: {
            '{$request.query.url}': { post: { responses: { '204': { description: 'ok' } } } },
          },
        },
      },
      trace: { responses: { '200': { description: 'ok' } } },
    },
  },
  webhooks: {
    priceChanged: {
      post: {
        requestBody: { content: { 'application/json': { schema: item } } },
        responses: { '204': { description: 'ok' } },
      },
    },
  },
  components: {
    schemas: {
      Ring: { type: 'object', properties: { next: { $ref: '#/components/schemas/Ring' }, tick } },
      Tree: { type: 'object', properties: { branches: { type: 'array', items: branches } } },
      Old: {
        type: 'object',
        properties: { name: { type: 'string', deprecated: true, 'x-sunset': '2031-01-31' } },
      },
    },
  },
}

test('the reference as text has streams, callbacks, webhooks, and operations that are not served', () => {
  const text = printReference(readBundled(unusual), undefined)
  const stream = sectionOf(text, '### GET /prices')
  expect(stream).toContain('`GET /prices` Watch | prices')
  expect(stream).toContain('`text/event-stream`: stream of object')
  expect(stream).toContain('| `price` | number | yes |')
  expect(text).toContain('Watch \\| prices |')
  expect(sectionOf(text, '### TRACE /prices')).toMatch(/The service does not serve it \(501\)/)
  const requests = sectionOf(text, '## Webhooks and callbacks')
  expect(requests).toContain('### GET /prices.moved')
  expect(sectionOf(requests, '### priceChanged')).toContain('| `price` | number | yes |')
})

test('the reference as text ends for schemas that contain themselves, and has deprecated fields', () => {
  const text = printReference(readBundled(unusual), undefined)
  expect(rowsOf(sectionOf(text, '### Ring')).map(([field, type]) => [field, type])).toEqual([
    ['next', 'Ring'],
    ['tick', 'object'],
    ['tick.at', 'Ring'],
  ])
  const [branch] = rowsOf(sectionOf(text, '### Tree'))
  expect(branch?.slice(0, 2)).toEqual(['branches', 'array of the same again'])
  expect(sectionOf(text, '### Old')).toContain(
    '**Deprecated.** It will be removed on **31 January 2031**.',
  )
  // A heading of a description is none of the page.
  expect(text).toContain('\n**Rules**\n')
})

const progress = {
  type: 'object',
  required: ['percent'],
  properties: { percent: { type: 'integer', maximum: 100, examples: [40] } },
}
const moved = {
  type: 'object',
  properties: {
    event: { const: 'progress' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: progress },
  },
}
const scan = { type: 'string', format: 'binary', 'x-max-bytes': 2000 }
const scans = {
  type: 'object',
  properties: { cover: scan, pages: { type: 'array', items: { ...scan, 'x-max-bytes': 300 } } },
}
const archive = {
  openapi: '3.1.0',
  info: { title: 'Archive', version: '1.0.0', description: 'Keeps scans.' },
  servers: [{ url: '/v1' }],
  paths: {
    '/scans': {
      post: {
        operationId: 'addScans',
        requestBody: { 'x-max-bytes': 5000, content: { 'multipart/form-data': { schema: scans } } },
        responses: {
          '200': {
            description: 'How far it is.',
            content: { 'text/event-stream': { 'x-item-schema': moved } },
          },
          '201': {
            description: 'Added.',
            content: { 'application/json': { schema: { type: 'integer', examples: [7] } } },
          },
        },
      },
    },
  },
}

test('the reference as text has curl samples, sizes of files, examples of schemas, and JSON data of events', () => {
  const description = readBundled(archive)
  const text = printReference(description, codeSamples(description))
  expect(text.match(/Keeps scans\./g)).toHaveLength(1)
  const section = sectionOf(text, '### addScans')
  expect(section).toContain(
    "```sh\ncurl -N -X POST 'http://127.0.0.1:3000/v1/scans' \\\n  -F 'cover=@cover.bin'",
  )
  expect(section).toContain('at most 5000 bytes')
  expect(section).toMatch(/^\| `cover` .*at most 2000 bytes/m)
  expect(section).toMatch(/^\| `pages` .*at most 300 bytes each/m)
  expect(section).toContain('| `data` | JSON of object |')
  expect(section).toMatch(/^\| `data\.percent` \| integer \| yes \| .*Example: `40`\./m)
  expect(section).not.toContain('contentSchema')
  expect(section).toContain('```json\n7\n```')
})

test('/docs shows the sizes of files, and the data of events as an object', () => {
  const { paths }: UncheckedJson = describeForPage(archive, undefined)
  const { requestBody, responses } = paths['/scans'].post
  expect(requestBody.description).toBe('At most 5000 bytes.')
  const { properties } = requestBody.content['multipart/form-data'].schema
  expect(properties.cover.description).toBe('At most 2000 bytes.')
  const { schema } = responses['200'].content['text/event-stream']
  expect(schema.items.properties.data.allOf).toEqual([progress])
})

test('/docs changes nothing of what the service sends as text and as openapi.json', async () => {
  const shown = structuredClone(fixtureApi.description)
  const { send } = await startReferenceService(shown)
  await send('/docs', anonymous)
  const text = await (await send('/docs/index.md', anonymous)).text()
  expect(text).toBe(readFileSync(generated, 'utf8'))
  const served = await (await send('/openapi.json', anonymous)).json()
  expect(served).toEqual(fixtureApi.description)
})
