import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Artifacts, compile } from '../../../scripts/pipeline/artifacts.ts'
import { isObject, pointAt } from '../../../scripts/pipeline/description.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { project, runProgram } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { createProjectCopy } from '../drift/support/project-copy.ts'
import { atValue, locate } from './support/spec-edit.ts'
import { fixtureSpec, readFolder, writeChangedSpec, writeSpec } from './support/workspace.ts'

const generate = (...args: string[]) => runProgram('scripts/generate.ts', args)
const workshop = join(project, 'test/fixture-api/files/workshop.yaml')
const frozen = join(project, 'test/fixture-api/generated')

test('a first run writes every file, whatever the directory, the locale and the time zone; a second one touches none', async () => {
  const out = join(createTemporaryFolder(), 'new/folder')
  const cwd = createTemporaryFolder()
  const env = { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kolkata' }
  const args = ['--spec', fixtureSpec, '--out', out]
  const first = await runProgram('scripts/generate.ts', args, { cwd, env })
  expect(first).toMatchObject({ status: 0, complaint: '' })
  expect(first.output).toMatch(
    /^generated \S+: changed openapi\.json, openapi\.json\.sha256, operations\.ts, openapi\.d\.ts, calls\.ts, examples\.ts \(\d+\.\d s\)\n$/,
  )
  expect(await readFolder(out)).toEqual(await readFolder(frozen))

  await writeFile(join(out, 'calls.ts'), '')
  const modified = async (name: string) => (await stat(join(out, name), { bigint: true })).mtimeNs
  const before = await modified('operations.ts')
  expect((await generate(...args)).output).toMatch(/: changed calls\.ts \(/)
  expect(await modified('operations.ts')).toBe(before)
  expect(await readFolder(out)).toEqual(await readFolder(frozen))
})

test('a write that fails leaves the folder as it was, without temporary files', async () => {
  const out = createTemporaryFolder()
  await writeFile(join(out, 'openapi.json'), 'old')
  // A folder has the name of a file.
  await mkdir(join(out, 'operations.ts'))
  const { status, complaint } = await generate('--spec', fixtureSpec, '--out', out)
  expect(status).toBe(2)
  expect(complaint).toMatch(/^cannot write to \S+: [^\n]+\n$/)
  expect(await readdir(out)).toEqual(['openapi.json', 'operations.ts'])
  expect(await readFile(join(out, 'openapi.json'), 'utf8')).toBe('old')
})

test('a lint error names file, line, column and rule, shows the lines around it, and changes no file', async () => {
  const out = createTemporaryFolder()
  await writeFile(join(out, 'calls.ts'), 'old')
  const changed = await writeChangedSpec('operationId: createTool', 'operationId: Create_tool')
  const { status, output, complaint } = await generate('--spec', changed, '--out', out)
  expect({ status, output }).toEqual({ status: 1, output: '' })
  const operationId = atValue('paths /tools post operationId')
  const { line, col } = locate(await readFile(changed, 'utf8'), operationId)
  expect(complaint).toContain(
    `openapi.yaml:${line}:${col} rule/operation-id-casing An operationId is camelCase`,
  )
  expect(complaint).toMatch(new RegExp(`\\n${line} \\| +operationId: Create_tool\\n`))
  expect(await readFolder(out)).toEqual({ 'calls.ts': 'old' })
})

test('problems in the ignore file of the linter are reported too', async () => {
  const copy = await createProjectCopy()
  const changed = join(copy, 'spec/openapi.yaml')
  const text = await readFile(fixtureSpec, 'utf8')
  await writeFile(changed, text.replace('operationId: createTool', 'operationId: Create_tool'))
  const ignored = {
    'spec/openapi.yaml': { 'rule/operation-id-casing': ['#/paths/~1tools/post/operationId'] },
  }
  await writeFile(join(copy, '.redocly.lint-ignore.yaml'), JSON.stringify(ignored))
  const { status, complaint } = await runProgram(join(copy, 'scripts/generate.ts'), [], {
    cwd: copy,
  })
  expect(status).toBe(1)
  expect(complaint).toMatch(/openapi\.yaml:\d+:\d+ rule\/operation-id-casing /)
})

const info = 'info: { title: A, version: "1" }\n'
const rest = `${info}paths: {}\n`

test.for([
  ['YAML that breaks off', 'openapi: 3.1.0\n a: [\n', /openapi\.yaml:2:3 syntax bad indentation/],
  ['an empty file', '', /openapi\.yaml is not an OpenAPI description; it must begin with/],
  [
    'OpenAPI 2.0',
    `swagger: "2.0"\n${rest}`,
    /is OpenAPI 2\.0; it must begin with openapi: 3\.0\.x, 3\.1\.x or 3\.2\.x/,
  ],
  [
    'a reference to nothing',
    `openapi: 3.1.0\n${info}paths:\n  /a: { $ref: none.yaml }\n`,
    /openapi\.yaml:4:7 no-unresolved-refs Can't resolve \$ref none\.yaml/,
  ],
  [
    'a keyword with a typing error',
    `openapi: 3.1.0\n${rest}components:\n  schemas:\n    A: { propertys: {} }\n`,
    /openapi\.yaml:6:10 struct Property `propertys` is not expected here\. Did you mean properties\?/,
  ],
  [
    'a second YAML document',
    `openapi: 3.1.0\n${rest}---\nopenapi: 3.1.0\n`,
    /openapi\.yaml:4:1 syntax expected a single document/,
  ],
  [
    'a reference to itself',
    `openapi: 3.1.0\n${rest}components:\n  schemas:\n    A: { $ref: "#/components/schemas/A" }\n`,
    /openapi\.yaml:6:8 no-circular-refs The reference leads back to itself/,
  ],
  [
    'an operationId used twice',
    `openapi: 3.1.0\n${info}paths:\n  /a:\n    get: { operationId: a, responses: {} }\n    put: { operationId: a, responses: {} }\n`,
    /openapi\.yaml:6:\d+ operation-operationId-unique/,
  ],
] as const)('%s is rejected in one line', async ([, text, complaint]) => {
  const compiled = compile(await writeSpec(text), 'minimal')
  await expect(compiled).rejects.toThrow(complaint)
  await expect(compiled).rejects.toThrow(/^[^\n]+$/)
})

test('references of two files that lead to each other are rejected, each at its line', async () => {
  const folder = createTemporaryFolder()
  const spec = join(folder, 'openapi.yaml')
  const a = `openapi: 3.1.0\n${info}paths:\n  /a: { $ref: "b.yaml#/b" }\n`
  await writeFile(spec, a)
  await writeFile(join(folder, 'b.yaml'), 'b: { $ref: "c.yaml#/c" }\n')
  await writeFile(join(folder, 'c.yaml'), 'c: { $ref: "b.yaml#/b" }\n')
  const { status, complaint } = await generate('--spec', spec, '--out', folder, '--lint', 'minimal')
  expect(status).toBe(1)
  expect(complaint.trim().split('\n')).toEqual([
    expect.stringMatching(/b\.yaml:1:4 no-circular-refs The reference leads back to itself\.$/),
    expect.stringMatching(/c\.yaml:1:4 no-circular-refs The reference leads back to itself\.$/),
  ])
})

test('problems are in the order of lines', async () => {
  // The linter looks at the paths first.
  const wrong = `components: { schemas: { A: { propertys: {} } } }\npaths: { /a: { git: {} } }\n`
  const compiled = compile(await writeSpec(`openapi: 3.1.0\n${info}${wrong}`), 'minimal')
  const lines = await compiled.catch(({ message }) => message.match(/(?<=yaml:)\d+/g))
  expect(lines).toEqual(['3', '4'])
})

test.for([
  [['--lint', 'lax'], /^--lint is strict, recommended, minimal, not 'lax'; usage: npm run gen/],
  [['--sepc', 'a.yaml'], /^Unknown option '--sepc'; usage: /],
  [['--spec', 'a.yaml'], /^--spec needs --out/],
  [['--spec', 'none.yaml', '--out', 'out'], /^there is no file none\.yaml\n$/],
] as const)('the arguments %j are rejected', async ([args, complaint]) => {
  const rejected = await generate(...args)
  expect(rejected.status).toBe(2)
  expect(rejected.complaint).toMatch(complaint)
})

let artifacts: Artifacts
let warnings: readonly string[]

beforeAll(async () => {
  ;({ artifacts, warnings } = await compile(workshop, 'recommended'))
})

test('what the linter only warns of is reported and stops nothing', () => {
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /fixture-api\/files\/paths\/tool\.yaml:4:3 operation-operationId Operation object/,
    ),
  )
})

test('the bundle is one file in which every reference leads somewhere', () => {
  const bundle: unknown = JSON.parse(artifacts.get('openapi.json') ?? '')
  const references = readReferences(bundle)
  expect(references.length).toBeGreaterThan(30)
  expect(references.filter(({ target }) => target === undefined)).toEqual([])
  expect(bundle).toMatchObject({
    'x-fallback': { refused: { description: 'The request is refused.' } },
    components: {
      schemas: { tool: { discriminator: { mapping: { saw: '#/components/schemas/Saw' } } } },
    },
  })
})

test('the types of a description compile under our settings', async () => {
  const out = createTemporaryFolder()
  await writeFolder(out, artifacts)
  await writeFile(join(out, 'use.ts'), typesInUse)
  expect(await typeCheck(out)).toBe('')
})

/** Type-checks every file in a folder under the project's own settings; '' when all of them fit. */
async function typeCheck(folder: string): Promise<string> {
  const settings = {
    extends: join(project, 'tsconfig.json'),
    // A declaration file is looked into only where libraries are checked too.
    compilerOptions: { types: [], skipLibCheck: false },
    include: [join(folder, '**/*')],
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const { status, output } = await runProgram('node_modules/typescript7/bin/tsc', ['-p', folder])
  return status === 0 ? '' : output
}

/** Returns every `$ref` in a document, with what it points at in the same document. */
function readReferences(root: unknown, value = root): { $ref: string; target: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((item) => readReferences(root, item))
  if (!isObject(value)) return []
  const { $ref } = value
  const target = typeof $ref === 'string' ? pointAt(root, $ref) : undefined
  const own = typeof $ref === 'string' ? [{ $ref, target }] : []
  return [...own, ...Object.values(value).flatMap((item) => readReferences(root, item))]
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
