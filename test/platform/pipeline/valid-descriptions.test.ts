import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { project, runProgram } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const files = join(project, 'test/fixture-api/files')
const { artifacts: workshop } = await compile(join(files, 'workshop.yaml'), 'minimal')
/** What the fixture API and the workshop do not have. */
const unusual = join(import.meta.dirname, 'support/unusual.yaml')
const { artifacts } = await compile(unusual, 'minimal')

test('the client knows the media type of a body, which success has no content, and lines of descriptions', () => {
  const calls = artifacts.get('calls.ts') ?? ''
  const [, row = ''] = /"change": (\{.*?\n {2}\})/s.exec(calls) ?? []
  expect(JSON.parse(row)).toEqual({
    method: 'patch',
    path: '/a-body-of-several-media-types',
    body: 'application/merge-patch+json',
    empty: [202],
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
  const folder = createTemporaryFolder()
  await writeFolder(join(folder, 'unusual'), artifacts)
  await writeFolder(join(folder, 'workshop'), workshop)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { types: [], skipLibCheck: false }
  const settings = { extends: join(project, 'tsconfig.json'), compilerOptions, include: ['**/*'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const args = ['-p', folder, '--checkers', '1']
  const ended = await runProgram('node_modules/typescript7/bin/tsc', args)
  expect(ended).toMatchObject({ output: '', errorOutput: '' })
})

test('the rows of operations of the workshop are up to date', () => {
  // It has parameters, credentials and media types that no service serves yet.
  const frozen = readFileSync(join(files, 'generated/operations.ts'), 'utf8')
  expect(workshop.get('operations.ts')).toBe(frozen)
})
