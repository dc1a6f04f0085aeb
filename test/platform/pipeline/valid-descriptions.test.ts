import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { project, runProgram } from '../../helpers/program.ts'

type Fragment = Readonly<Record<string, unknown>>

/**
 * Valid descriptions by what they have that the fixture API and the workshop have not, each as its
 * version and what it adds to an empty one.
 */
const descriptions: Readonly<Record<string, readonly [version: string, fragment: Fragment]>> = {
  'components without paths': ['3.1.0', { paths: undefined, components: { schemas: { A: {} } } }],
  'a method and a media type of OpenAPI 3.2': [
    '3.2.0',
    {
      paths: {
        '/a': {
          query: { operationId: 'search', responses: {} },
          additionalOperations: { COPY: { operationId: 'copy', responses: ok({}) } },
          get: { responses: responses({ content: { 'application/jsonl': { itemSchema: {} } } }) },
        },
      },
    },
  ],
  'a discriminator that maps names': ['3.0.3', pets({ cat: 'Cat', dog: 'Dog' })],
  'schemas that refer to themselves': [
    '3.1.0',
    schemas({
      Tree: { type: 'object', properties: { children: { type: 'array', items: ref('Tree') } } },
      A: { type: 'object', properties: { b: ref('B') } },
      B: { allOf: [{ type: 'object', properties: { a: ref('A') } }] },
    }),
  ],
  'keywords beside a reference': [
    '3.1.0',
    get({ $ref: '#/components/schemas/A', description: 'It is new.', maxLength: 3 }, { A: {} }),
  ],
  'names in other alphabets': [
    '3.1.0',
    {
      ...schemas({
        A: { type: 'object', properties: { größe: {}, 名前: {}, '🐈': {}, 'a-b.c': {} } },
      }),
      paths: { '/größe/{名前}': { parameters: [path('名前')], get: { responses: ok({}) } } },
    },
  ],
  'names that JavaScript reserves': [
    '3.1.0',
    {
      paths: {
        '/a/{class}': {
          parameters: [path('class')],
          get: { operationId: 'delete', parameters: [query('default')], responses: ok({}) },
          put: { operationId: 'constructor', parameters: [query('__proto__')], responses: ok({}) },
        },
      },
      ...schemas({ Function: { properties: { __proto: {}, new: {}, await: {} } } }),
    },
  ],
  'parameters with one name in several locations': [
    '3.1.0',
    {
      paths: {
        '/a/{id}': {
          parameters: [path('id'), query('id')],
          get: {
            parameters: [
              { ...query('id'), schema: { type: 'integer' } },
              { name: 'id', in: 'header', schema: { type: 'boolean' } },
              { name: 'id', in: 'cookie', schema: { type: 'string' } },
            ],
            responses: ok({}),
          },
        },
      },
    },
  ],
  'webhooks alone': [
    '3.1.0',
    {
      paths: undefined,
      webhooks: { moved: { post: { requestBody: body({}), responses: ok({}) } } },
    },
  ],
  'path items in components': [
    '3.1.0',
    {
      paths: {
        '/a': { $ref: '#/components/pathItems/A' },
        '/b': { $ref: '#/components/pathItems/A' },
      },
      components: { pathItems: { A: { get: { responses: ok({ type: 'string' }) } } } },
    },
  ],
  'examples of all kinds': [
    '3.1.0',
    {
      paths: {
        '/a': {
          get: {
            responses: responses({
              content: {
                'application/json': {
                  schema: { examples: [1, 'a'] },
                  examples: {
                    inPlace: { value: { __proto__: null, 200: ['a', null], 'a-b': -1e-7 } },
                    shared: { $ref: '#/components/examples/A' },
                    elsewhere: { externalValue: 'https://a.test/a.json' },
                  },
                },
              },
            }),
          },
        },
      },
      components: { examples: { A: { summary: 'A.', value: '*/ </script>' } } },
    },
  ],
  'descriptions that end a comment': [
    '3.1.0',
    {
      paths: { '/a': { get: { summary: 'A */ B', description: '*/', responses: ok({}) } } },
      ...schemas({ A: { description: '/* */ @deprecated', deprecated: true } }),
    },
  ],
  'names with a slash, a tilde and an escaped space': [
    '3.1.0',
    { paths: { '/a~b/c%20d/{a}': { parameters: [path('a')], get: { responses: ok({}) } } } },
  ],
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'valid-'))
  return () => rm(folder, { recursive: true })
})

test.for(Object.entries(descriptions))('%s compiles', async ([name, [openapi, fragment]]) => {
  const spec = join(folder, `${name}.json`)
  const info = { title: 'A', version: '1' }
  await writeFile(spec, JSON.stringify({ openapi, info, paths: {}, ...fragment }))
  const { artifacts, warnings } = await compile(spec, 'minimal')
  await writeFolder(join(folder, 'compiled', name), artifacts)
  const skipped = warnings.filter((line) => line.endsWith('is not compiled'))
  expect(skipped).toHaveLength(/method.* of OpenAPI 3\.2/.test(name) ? 2 : 0)
})

test('what they and the workshop compile into type-checks, and has the types of the description', async () => {
  const workshop = join(project, 'test/fixture-api/files/workshop.yaml')
  const out = join(folder, 'compiled/workshop')
  await writeFolder(out, (await compile(workshop, 'minimal')).artifacts)
  await writeFile(join(out, 'use.ts'), typesInUse)
  expect(await typeCheck()).toBe('')
})

/** Type-checks what all descriptions were compiled into; returns the compiler's output. */
async function typeCheck(): Promise<string> {
  const compiled = join(folder, 'compiled')
  await writeFile(join(compiled, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { types: [], skipLibCheck: false }
  const settings = { extends: join(project, 'tsconfig.json'), compilerOptions, include: ['**/*'] }
  await writeFile(join(compiled, 'tsconfig.json'), JSON.stringify(settings))
  const args = ['-p', compiled, '--checkers', '1']
  const { output, complaint } = await runProgram('node_modules/typescript7/bin/tsc', args)
  expect(complaint).toBe('')
  return output
}

const typesInUse = `
import type { components, operations, webhooks } from './openapi.d.ts'
import { operations as table } from './operations.ts'

type Tool = components['schemas']['tool']
export const saw: Tool = { kind: 'saw', name: 'Ryoba', note: null, blade: [24, 0.5, 'mm'] }
export const drill: Tool = { kind: 'drill', name: 'Bit', power: 3, parts: [{ name: 'chuck' }] }

// @ts-expect-error a saw has no power
export const mixed: Tool = { kind: 'saw', name: 'Ryoba', power: 3 }
// @ts-expect-error a drill needs its power
export const weak: Tool = { kind: 'drill', name: 'Bit' }

export function powerOf(tool: Tool): number | undefined {
  return tool.kind === 'drill' ? tool.power : undefined
}

type Query = NonNullable<operations['searchTools']['parameters']['query']>
export const query: Query = { tag: ['a'], sizes: [1, null], filter: { maker: null }, anything: {} }
// @ts-expect-error an id is a number
export const wrong: Query = { ids: ['1'] }

export const broken: webhooks['toolBroken']['post']['requestBody']['content']['application/json'] = saw
export const mediaType: keyof operations['addTool']['requestBody']['content'] = table.addTool.requestBody.mediaTypes[1]
export const sunset: '2031-01-31' = table.replaceTool.deprecation.sunset
export const style: 'pipeDelimited' = table.searchTools.parameters.query.sizes.style
`

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

function responses(response: Fragment) {
  return { 200: { description: 'Done.', ...response } }
}

function ok(schema: Fragment) {
  return responses({ content: { 'application/json': { schema } } })
}

function body(schema: Fragment) {
  return { content: { 'application/json': { schema } } }
}

function get(schema: Fragment, named: Fragment = {}): Fragment {
  return {
    paths: { '/a': { get: { operationId: 'getA', responses: ok(schema) } } },
    components: { schemas: named },
  }
}

function schemas(named: Fragment): Fragment {
  return { components: { schemas: named } }
}

function pets(mapping: unknown): Fragment {
  const kind = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }
  const discriminator = { propertyName: 'kind', mapping }
  const Pet = { oneOf: [ref('Cat'), ref('Dog')], discriminator }
  return get(ref('Pet'), { Pet, Cat: kind, Dog: kind })
}

function path(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function query(name: string) {
  return { name, in: 'query', schema: { type: 'string' } }
}
