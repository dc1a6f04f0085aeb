import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { project, runProgram } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const files = join(project, 'test/fixture-api/files')
const folder = createTemporaryFolder(afterAll)
const workshopOut = join(folder, 'workshop')
const { artifacts: workshop } = await compile(join(files, 'workshop.yaml'), 'minimal', workshopOut)
/** What the fixture API and the workshop do not have. */
const unusual = join(import.meta.dirname, 'support/unusual.yaml')
const unusualOut = join(folder, 'unusual')
const { artifacts } = await compile(unusual, 'minimal', unusualOut)

/** Quotes the name of a function; literals stay. */
function quote(name: string): string {
  return name === 'true' ? name : `"${name}"`
}

test('the client knows the media type of a body, which success has no content, and lines of descriptions', () => {
  const calls = artifacts.get('calls.ts') ?? ''
  const [, row = ''] = /"change": (\{.*?\n {2}\})/s.exec(calls) ?? []
  // A function is a name in the code.
  expect(JSON.parse(row.replaceAll(/(?<=[[:]\s+)[a-z]\w+(?=[,\s])/gi, quote))).toEqual({
    method: 'patch',
    path: '/a-body-of-several-media-types',
    body: true,
    upload: {
      contents: {
        'application/merge-patch+json': { write: 'writeJson' },
        'application/xml': { write: 'writeText' },
      },
      prepare: 'prepareUpload',
    },
    options: ['uploadRules'],
    responses: { empty: [202], read: 'readDeclared' },
    security: [],
  })
  for (const [indent, next] of [
    ['  ', 'change('],
    ['', 'export type Described ='],
  ]) {
    const lines = ['/**', ' * Send:', ' *', ' *     PATCH /a', ' */', next]
    expect(calls).toContain(lines.map((line) => `\n${indent}${line}`).join(''))
  }
})

test('unusual names, references, examples and discriminators, and the workshop, compile into code that type-checks', async () => {
  await writeFolder(unusualOut, artifacts)
  await writeFolder(workshopOut, workshop)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { types: [], skipLibCheck: false }
  const settings = { extends: join(project, 'tsconfig.json'), compilerOptions, include: ['**/*'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const args = ['-p', folder, '--checkers', '1']
  const ended = await runProgram('node_modules/typescript7/bin/tsc', args)
  expect(ended).toMatchObject({ output: '', errorOutput: '' })
})

test('a schema that is true is valid since OpenAPI 3.1, and its values are unknown', async () => {
  const content = { 'application/json': { schema: true } }
  const post = {
    operationId: 'addNote',
    parameters: [{ name: 'tag', in: 'query', schema: true }],
    requestBody: { required: true, content },
    responses: {
      201: { description: 'Added.', headers: { 'X-Any': { schema: true } }, content },
      404: { description: 'None.', content },
    },
  }
  const folder = createTemporaryFolder()
  const spec = join(folder, 'openapi.yaml')
  const description = { info: { title: 'A', version: '1.0.0' }, paths: { '/notes': { post } } }
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', ...description }))
  for (const level of ['served', 'house', 'minimal'] as const) {
    const findings = await findProblems(await openDescription(spec), level)
    expect(findings.filter(({ line }) => line.includes('boolean'))).toEqual([])
  }
  const { artifacts } = await compile(spec, 'minimal')
  expect(artifacts.get('openapi.d.ts')?.match(/"application\/json": unknown;/g)).toHaveLength(3)
  expect(artifacts.get('openapi.d.ts')).toContain('tag?: unknown;')

  writeFileSync(spec, JSON.stringify({ openapi: '3.0.3', ...description }))
  const old = await findProblems(await openDescription(spec), 'recommended')
  expect(old.filter(({ line }) => line.includes('got `boolean`')).length).toBeGreaterThan(0)
})

test('the rows of operations of the workshop are up to date', () => {
  // It has parameters, credentials and media types that no service serves yet.
  const frozen = readFileSync(join(files, 'generated/operations.ts'), 'utf8')
  expect(workshop.get('operations.ts')).toBe(frozen)
})
