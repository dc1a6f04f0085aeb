import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { runProgram } from '../../helpers/program.ts'
import { editText, remove, set, together } from '../../helpers/spec-edit.ts'
import { readFixture, writeSpec } from './support/workspace.ts'

const withoutExamples = together(
  remove('components parameters Kind example'),
  remove('paths /tools/{toolId}/manual get summary'),
)
const invalid = set('paths /tools post operationId', 'Create_tool')

test('rules of style are warnings of service/served and errors of service/house', async () => {
  const spec = await writeSpec(editText(await readFixture(), withoutExamples))
  const problems = async (set: 'served' | 'house') =>
    (await findProblems(await openDescription(spec), set)).map(({ line, isError }) => {
      const [, rule] = / ([\w/-]+) /.exec(line) ?? []
      return [rule, isError]
    })
  const rules = ['service/parameter-example', 'operation-summary']
  const warnings = rules.map((rule) => [rule, false])
  expect(await problems('served')).toEqual(expect.arrayContaining(warnings))
  expect(await problems('house')).toEqual(expect.arrayContaining(rules.map((rule) => [rule, true])))
})

test('an API extends a set in its redocly.yaml, and changes the severity of single rules', async () => {
  const spec = await writeSpec(editText(await readFixture(), together(withoutExamples, invalid)))
  const folder = dirname(spec)
  const config = {
    extends: ['recommended-strict', 'service/served'],
    plugins: [projectPath('scripts/lint/plugin.ts')],
    rules: { 'service/operation-id-casing': 'off', 'service/parameter-example': 'error' },
  }
  await writeFile(join(folder, 'redocly.yaml'), stringify(config))
  const args = ['lint', spec, '--format', 'json']
  const { output } = await runProgram('node_modules/@redocly/cli/bin/cli.js', args, { cwd: folder })
  const { problems }: { readonly problems: readonly Record<string, string>[] } = JSON.parse(output)
  const severities = problems.map(({ ruleId, severity }) => [ruleId, severity] as const)
  expect(severities).toContainEqual(['service/parameter-example', 'error'])
  expect(severities).toContainEqual(['operation-summary', 'warn'])
  expect(severities.flat()).not.toContain('service/operation-id-casing')
})
