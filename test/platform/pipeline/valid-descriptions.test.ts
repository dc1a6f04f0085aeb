import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { project, runProgram } from '../../helpers/program.ts'

const unusual = readFileSync(new URL('support/unusual.yaml', import.meta.url), 'utf8')

/** Valid descriptions by what they have that the fixture API and the workshop do not have. */
const descriptions: readonly (readonly [what: string, text: string])[] = [
  ['a description with unusual names, references and examples', unusual],
  [
    'a discriminator that maps names',
    `
openapi: 3.0.3
info: { title: A, version: '1' }
paths: {}
components:
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { cat: Cat, dog: Dog } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string } } }
`,
  ],
]

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'valid-'))
  return () => rm(folder, { recursive: true })
})

test.for(descriptions)('%s compiles', async ([name, text]) => {
  const spec = join(folder, `${name}.yaml`)
  await writeFile(spec, text)
  const { artifacts } = await compile(spec, 'minimal')
  await writeFolder(join(folder, 'compiled', name), artifacts)
})

test('the client knows the media type of a body, which success has no content, and lines of descriptions', async () => {
  const spec = join(folder, 'calls.yaml')
  const description = 'Send:\\n\\n    PATCH /a\\n'
  const content = '{ application/xml: {}, application/merge-patch+json: { schema: {} } }'
  await writeFile(
    spec,
    `{ openapi: 3.1.0, info: { title: A, version: '1' }, paths: { /a: { patch: {
      operationId: change, description: "${description}", requestBody: { content: ${content} },
      responses: { 202: { description: A }, 204: { description: B } } } } },
      components: { schemas: { A: { description: "${description}" } } } }`,
  )
  const { artifacts } = await compile(spec, 'minimal')
  const [, row = ''] = artifacts.get('calls.ts')?.match(/"change": (\{.*?\n {2}\})/s) ?? []
  expect(JSON.parse(row)).toEqual({
    method: 'patch',
    path: '/a',
    body: 'application/merge-patch+json',
    empty: [202],
  })
  for (const [indent, next] of [
    ['  ', 'change('],
    ['', 'export type A ='],
  ]) {
    const lines = ['/**', ' * Send:', ' *', ' *     PATCH /a', ' */', next]
    const text = lines.map((line) => `\n${indent}${line}`).join('')
    expect(artifacts.get('calls.ts')).toContain(text)
  }
})

test('what they and the workshop compile into type-checks, and the rows of operations are up to date', async () => {
  const workshop = join(project, 'test/fixture-api/files/workshop.yaml')
  const { artifacts } = await compile(workshop, 'minimal')
  const compiled = join(folder, 'compiled')
  await writeFolder(join(compiled, 'workshop'), artifacts)
  await writeFile(join(compiled, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { types: [], skipLibCheck: false }
  const settings = { extends: join(project, 'tsconfig.json'), compilerOptions, include: ['**/*'] }
  await writeFile(join(compiled, 'tsconfig.json'), JSON.stringify(settings))
  const args = ['-p', compiled, '--checkers', '1']
  const ended = await runProgram('node_modules/typescript7/bin/tsc', args)
  expect(ended).toMatchObject({ output: '', errorOutput: '' })
  // It has parameters, credentials and media types that no service serves yet.
  const frozen = readFileSync(join(workshop, '../generated/operations.ts'), 'utf8')
  expect(artifacts.get('operations.ts')).toBe(frozen)
})
