import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../scripts/pipeline/output-folder.ts'
import type { Operation } from '../../server/contract/description/operation.ts'
import { createDocsPages } from '../../server/docs/docs-pages.ts'
import type { Reference } from '../../server/docs/page/document.ts'
import { createFolder } from '../pipeline/support/workspace.ts'

const none = { path: {}, query: {}, header: {}, cookie: {} }
const client = { packageName: 'tool-client', factory: 'createTools' }

/** The reference of a description, as text. */
async function read(reference: Omit<Reference, 'client'>): Promise<string> {
  const reply = await createDocsPages({ ...reference, client })['/docs']?.()
  return String(reply?.body)
}

function row(operationId: string, more: Partial<Operation> = {}): Operation {
  return { operationId, method: 'get', path: '/tools', security: [], parameters: none, ...more }
}

/** Anchors that are linked to, and are not there. */
function lostLinks(page: string): string[] {
  const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id))
  const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, target = '']) => target)
  return targets.filter((target) => !ids.has(target))
}

test('a description of many files with every construct is shown, and its links lead somewhere', async () => {
  const spec = join(import.meta.dirname, '../pipeline/fixture/workshop.yaml')
  const { artifacts } = await compile(spec, 'recommended')
  const folder = await createFolder()
  await writeFolder(folder, artifacts)
  const { operations, basePath } = await import(pathToFileURL(join(folder, 'operations.ts')).href)
  const description = JSON.parse(artifacts.get('openapi.json') ?? '')
  const workshop = await read({ description, operations, basePath })
  expect(workshop).toContain('One of:')
  expect(workshop).toContain('only in answers')
  expect(workshop).toContain('string or null')
  expect(workshop.match(/<section class="operation"/g)?.length).toBeGreaterThan(3)
  expect(lostLinks(workshop)).toEqual([])
})

const markup = `<img src=x onerror="alert('1')">`
const hostile = `${markup} [${markup}](javascript:alert(1)) <javascript:alert(1)> \`${markup}\` **${markup}**

| ${markup} |
|---|
| ${markup} |

- ${markup}

\`\`\`${markup}
${markup}
\`\`\`
`

test('nothing that a description says becomes markup', async () => {
  const schema = {
    type: 'object',
    description: hostile,
    required: [markup],
    properties: { [markup]: { enum: [markup], default: markup, pattern: markup, format: markup } },
    examples: [{ [markup]: markup }],
  }
  const content = {
    [markup]: { schema, examples: { [markup]: { summary: markup, value: markup } } },
  }
  const operation = {
    summary: markup,
    description: hostile,
    tags: [markup],
    parameters: [{ name: markup, in: 'query', description: hostile, schema, example: markup }],
    requestBody: { description: hostile, content },
    responses: { [markup]: { description: hostile, headers: { [markup]: { schema } }, content } },
  }
  const page = await read({
    description: {
      info: { title: markup, summary: hostile, description: hostile, version: markup },
      servers: [{ url: `https://${markup}`, description: markup }],
      tags: [{ name: markup, description: hostile }],
      paths: { '/tools': { get: operation } },
      components: { schemas: { [markup]: schema } },
    },
    operations: {
      [markup]: row(markup, {
        path: '/tools',
        requestBody: { required: true, mediaTypes: [markup] },
        deprecation: { since: markup, sunset: markup, replacedBy: { operationId: markup } },
      }),
    },
    basePath: markup,
  })
  expect(page).not.toContain('<img')
  expect(page).not.toMatch(/href="[^"]*javascript:/)
  const tags = page.match(/<[a-z][^>]*>/g)?.map((tag) => tag.replaceAll(/="[^"]*"/g, ''))
  expect(tags?.filter((tag) => /onerror|["']/.test(tag))).toEqual([])
  expect(page.split('&lt;img').length).toBeGreaterThan(40)
})

test('a schema that is made of itself is shown to an end', async () => {
  const part = {
    allOf: [{ $ref: '#/components/schemas/Part' }],
    properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } },
  }
  const page = await read({
    description: { info: { title: 'Parts' }, paths: {}, components: { schemas: { Part: part } } },
    operations: {},
    basePath: '',
  })
  expect(page).toContain('array of <a href="#schema-Part">Part</a>')
})

test('a description of a thousand operations is shown whole', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `tool${index}`)
  const responses = { 200: { description: 'Fine.' } }
  const page = await read({
    description: {
      info: { title: 'Tools' },
      paths: Object.fromEntries(ids.map((id) => [`/${id}`, { get: { responses } }])),
    },
    operations: Object.fromEntries(ids.map((id) => [id, row(id, { path: `/${id}` })])),
    basePath: '',
  })
  expect(page.match(/<section class="operation"/g)).toHaveLength(1_000)
  // Browsers take many seconds to look through a thousand forms.
  expect(page.match(/<template data-call><form/g)).toHaveLength(1_000)
  expect(page.replaceAll(/<template.*?<\/template>/gs, '').match(/<form/g)).toBe(null)
})

test.each([
  [
    'a **bold** _word_ and `code`',
    '<p>a <strong>bold</strong> <em>word</em> and <code>code</code></p>',
  ],
  ['[here](https://a.example/b_c_d)', '<p><a href="https://a.example/b_c_d">here</a></p>'],
  ['snake_case_name and 2 * 3 * 4', '<p>snake_case_name and 2 * 3 * 4</p>'],
  ['1. one\n2. two\n   more', '<ol><li>one</li><li>two\nmore</li></ol>'],
  ['```\na < b\n\nc\n```', '<pre tabindex="0"><code>a &lt; b\n\nc</code></pre>'],
  ['# Title\nText', '<p><strong>Title</strong></p><p>Text</p>'],
])('the text %j is shown as its author meant it', async (description, shown) => {
  const page = await read({
    description: { info: { title: 'Tools', description }, paths: {} },
    operations: {},
    basePath: '',
  })
  expect(page).toContain(shown)
})
