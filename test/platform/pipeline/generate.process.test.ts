import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { project, runProgram } from '../../helpers/program.ts'
import { atValue, createLocator } from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { fixtureSpec, readFixture, readFolder, writeSpec } from './support/workspace.ts'

const generate = (...args: string[]) => runProgram('scripts/generate.ts', args)
const workshop = join(project, 'test/fixture-api/files/workshop.yaml')
const frozen = join(project, 'test/fixture-api/generated')

test('a first run writes every file, whatever the directory, the locale and the time zone; a second one touches none', async () => {
  const out = join(createTemporaryFolder(), 'new/folder')
  const cwd = createTemporaryFolder()
  const env = { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kolkata' }
  const args = ['--spec', fixtureSpec, '--out', out]
  const first = await runProgram('scripts/generate.ts', args, { cwd, env })
  expect(first).toMatchObject({ status: 0, errorOutput: '' })
  expect(first.output).toMatch(
    /^generated \S+: changed openapi\.json, openapi\.json\.sha256, operations\.ts, openapi\.d\.ts, calls\.ts, examples\.ts, reference\.md \(\d+\.\d s\)\n$/,
  )
  expect(await readOutput(out)).toEqual(await readOutput(frozen))

  await writeFile(join(out, 'calls.ts'), '')
  const modified = async (name: string) => (await stat(join(out, name), { bigint: true })).mtimeNs
  const before = await modified('operations.ts')
  expect((await generate(...args)).output).toMatch(/: changed calls\.ts \(/)
  expect(await modified('operations.ts')).toBe(before)
  expect(await readOutput(out)).toEqual(await readOutput(frozen))
})

/** Returns the files of a folder, without the path that leads from there to the client. */
async function readOutput(out: string): Promise<Record<string, string>> {
  const { 'calls.ts': calls = '', ...files } = await readFolder(out)
  return { ...files, 'calls.ts': calls.replaceAll(/(?<= from ')[^']+(?=\/client\/)/g, '') }
}

test('a lint error names file, line, column and rule, shows the lines around it, and changes no file', async () => {
  const out = createTemporaryFolder()
  await writeFile(join(out, 'calls.ts'), 'old')
  const text = (await readFixture()).replace('Id: createTool', 'Id: Create_tool')
  const changed = await writeSpec(text)
  const { status, output, errorOutput } = await generate('--spec', changed, '--out', out)
  expect({ status, output }).toEqual({ status: 1, output: '' })
  const { line, col } = createLocator(text)(atValue('paths /tools post operationId'))
  expect(errorOutput).toContain(
    `openapi.yaml:${line}:${col} service/operation-id-casing An operationId is camelCase`,
  )
  expect(errorOutput).toMatch(new RegExp(`\\n${line} \\| +operationId: Create_tool\\n`))
  expect(await readFolder(out)).toEqual({ 'calls.ts': 'old' })
})

const info = { title: 'A', version: '1' }

test('a keyword with a typing error is an error also with --lint minimal', async () => {
  const components = { schemas: { A: { propertys: {} } } }
  const spec = await writeSpec(JSON.stringify({ openapi: '3.1.0', info, paths: {}, components }))
  const error = / struct Property `propertys` is not expected here\. Did you mean properties\?$/
  await expect(compile(spec, 'minimal')).rejects.toThrow(error)
})

test('YAML that breaks off is reported in one line, at its place', async () => {
  const compiled = compile(await writeSpec('openapi: 3.1.0\n a: [\n'), 'minimal')
  await expect(compiled).rejects.toThrow(/^\S+openapi\.yaml:2:3 syntax bad indentation[^\n]*$/)
})

test.for([
  [
    ['--lint', 'lax'],
    /^--lint must be one of strict, recommended, minimal, not 'lax'; usage: npm run gen/,
  ],
  [['--sepc', 'a.yaml'], /^Unknown option '--sepc'; usage: /],
  [['--spec', 'a.yaml'], /^--spec needs --out/],
  [['--spec', 'none.yaml', '--out', 'out'], /^there is no file none\.yaml\n$/],
  [
    ['--spec', 'test/fixture-api/openapi.yaml', '--out', 'package.json'],
    /^cannot write to package\.json: EEXIST.*\n$/,
  ],
] as const)('the arguments %j are rejected', async ([args, errorOutput]) => {
  const rejected = await generate(...args)
  expect(rejected.status).toBe(2)
  expect(rejected.errorOutput).toMatch(errorOutput)
})

test('a description of OpenAPI 3.0 compiles, with its nullable', async () => {
  const components = { schemas: { A: { type: 'string', nullable: true } } }
  const description = { openapi: '3.0.3', info, paths: {}, components }
  const { artifacts } = await compile(await writeSpec(JSON.stringify(description)), 'minimal')
  expect(artifacts.get('openapi.d.ts')).toContain('A: string | null')
})

test('operations that are not served are listed with the reason', async () => {
  const additionalOperations = { COPY: { responses: { 200: { description: 'Copied.' } } } }
  const paths = { '/a': { trace: { operationId: 'traceIt', responses: {} }, additionalOperations } }
  const spec = await writeSpec(JSON.stringify({ openapi: '3.2.0', info, paths }))
  const { errorOutput } = await generate(
    '--spec',
    spec,
    '--out',
    createTemporaryFolder(),
    '--lint',
    'minimal',
  )
  expect(errorOutput).toContain(
    `0 of 2 operations are served; the others stay in the contract, and their response is 501:
  TRACE /a: proxies and browsers reject TRACE
  COPY /a: the service does not serve the method COPY
`,
  )
})

test('what the linter only warns of is reported and stops nothing', async () => {
  const { warnings } = await compile(workshop, 'recommended')
  const warning = /fixture-api\/files\/paths\/tool\.yaml:4:3 operation-operationId Operation object/
  expect(warnings).toContainEqual(expect.stringMatching(warning))
})

test('many warnings are counted by their rules, and printed with --warnings', async () => {
  const responses = { 200: { description: 'Fine.' } }
  const names = Array.from({ length: 12 }, (_, index) => `/path${index}`)
  const paths = Object.fromEntries(names.map((name) => [name, { get: { responses } }]))
  const spec = await writeSpec(JSON.stringify({ openapi: '3.1.0', info, paths }, undefined, 2))
  const args = ['--spec', spec, '--out', createTemporaryFolder(), '--lint', 'minimal']
  const counted = await generate(...args)
  expect(counted.status).toBe(0)
  const [first, ...counts] = counted.errorOutput.trimEnd().split('\n')
  expect(first).toMatch(/^\d+ warnings; to print them: npm run generate -- --warnings$/)
  expect(counts).toContain('  12 operation-operationId')
  const printed = (await generate(...args, '--warnings')).errorOutput.trimEnd().split('\n')
  expect(first).toMatch(new RegExp(`^${printed.length} `))
  expect(
    printed.filter((line) => / operation-operationId .* \(warning\)$/.test(line)),
  ).toHaveLength(12)
})
