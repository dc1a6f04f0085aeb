import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { leftOut } from '../../../scripts/checks/left-out-reporter.ts'
import { type Artifacts, compile } from '../../../scripts/pipeline/artifacts.ts'
import { readGenerateOptions } from '../../../scripts/pipeline/command-line.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { generate, run } from './support/program.ts'
import { readReferences } from './support/references.ts'
import { typeCheck } from './support/type-check.ts'
import {
  copyProject,
  createFolder,
  fixtureSpec,
  project,
  readFolder,
  writeChangedSpec,
  writeSpec,
} from './support/workspace.ts'

test('a first run writes every file and says so in one line', async () => {
  const out = join(await createFolder(), 'new/folder')
  const { status, output, complaint } = await generate('--spec', fixtureSpec, '--out', out)
  expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
  expect(output).toMatch(
    /^generated \S+: changed openapi\.d\.ts, openapi\.json, openapi\.json\.sha256, calls\.ts, examples\.ts, operations\.ts, validators\.js, validators\.d\.ts \(\d+\.\d s\)\n$/,
  )
  expect(await readdir(out)).toEqual([
    'calls.ts',
    'examples.ts',
    'openapi.d.ts',
    'openapi.json',
    'openapi.json.sha256',
    'operations.ts',
    'validators.d.ts',
    'validators.js',
  ])
})

test('a second run touches no file', async () => {
  const out = await createFolder()
  const artifacts = new Map([
    ['a.ts', 'one'],
    ['b.ts', 'two'],
  ])
  expect(await writeFolder(out, artifacts)).toEqual(['a.ts', 'b.ts'])
  const before = await stat(join(out, 'a.ts'), { bigint: true })
  expect(await writeFolder(out, new Map([...artifacts, ['b.ts', 'three']]))).toEqual(['b.ts'])
  expect((await stat(join(out, 'a.ts'), { bigint: true })).mtimeNs).toBe(before.mtimeNs)
  expect(await readFolder(out)).toEqual({ 'a.ts': 'one', 'b.ts': 'three' })
})

test('a write that fails leaves the folder as it was, without temporary files', async () => {
  const out = await createFolder()
  await writeFile(join(out, 'a.ts'), 'one')
  // A folder stands where the file should go.
  await mkdir(join(out, 'b.ts'))
  await expect(
    writeFolder(
      out,
      new Map([
        ['a.ts', 'changed'],
        ['b.ts', 'two'],
      ]),
    ),
  ).rejects.toThrow()
  expect(await readdir(out)).toEqual(['a.ts', 'b.ts'])
  expect((await stat(join(out, 'a.ts'))).size).toBe('one'.length)
})

test('a lint error names file, line, column and rule, and leaves the folder as it was', async () => {
  const out = await createFolder()
  await generate('--spec', fixtureSpec, '--out', out)
  const before = await readFolder(out)
  const changed = await writeChangedSpec('operationId: createTool', 'operationId: Create_tool')
  const { status, output, complaint } = await generate('--spec', changed, '--out', out)
  expect(status).toBe(1)
  expect(output).toBe('')
  expect(complaint).toMatch(
    /openapi\.yaml:\d+:\d+ rule\/operation-id-casing An operationId is camelCase/,
  )
  expect(await readFolder(out)).toEqual(before)
})

test('problems that a file tells the linter to ignore are refused too', async () => {
  const copy = await copyProject()
  const changed = join(copy, 'spec/openapi.yaml')
  const text = await readFile(fixtureSpec, 'utf8')
  await writeFile(changed, text.replace('operationId: createTool', 'operationId: Create_tool'))
  const ignored = {
    'spec/openapi.yaml': { 'rule/operation-id-casing': ['#/paths/~1tools/post/operationId'] },
  }
  await writeFile(join(copy, '.redocly.lint-ignore.yaml'), JSON.stringify(ignored))
  const { status, complaint } = await run(join(copy, 'scripts/generate.ts'), [], { cwd: copy })
  expect(status).toBe(1)
  expect(complaint).toMatch(/openapi\.yaml: problems are ignored \(1\); mend them instead/)
})

describe('a description that cannot be read is rejected in one line', () => {
  const rest = 'info: { title: A, version: "1" }\npaths: {}\n'
  test.for([
    ['YAML that breaks off', 'openapi: 3.1.0\n a: [\n', /openapi\.yaml:2:3 syntax bad indentation/],
    ['an empty file', '', /openapi\.yaml is not an OpenAPI description; it must begin with/],
    ['a list', '- 1\n', /openapi\.yaml is not an OpenAPI description; it must begin with/],
    [
      'OpenAPI 2.0',
      `swagger: "2.0"\n${rest}`,
      /is OpenAPI 2\.0; it must begin with openapi: 3\.0\.x or 3\.1\.x/,
    ],
    ['OpenAPI 3.2', `openapi: 3.2.0\n${rest}`, /is OpenAPI 3\.2\.0; it must begin with/],
    [
      'a reference to nothing',
      `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a: { $ref: none.yaml }\n`,
      /openapi\.yaml:4:7 no-unresolved-refs/,
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
      `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a:\n    get: { operationId: a, responses: {} }\n    put: { operationId: a, responses: {} }\n`,
      /openapi\.yaml:6:\d+ operation-operationId-unique/,
    ],
  ] as const)('%s', async ([, text, complaint]) => {
    const compiled = compile(await writeSpec(text), 'minimal')
    await expect(compiled).rejects.toThrow(complaint)
    await expect(compiled).rejects.toThrow(/^[^\n]+$/)
  })
})

test('references of two files that lead to each other are rejected, each at its line', async () => {
  const folder = await createFolder()
  const spec = join(folder, 'openapi.yaml')
  const a =
    'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a: { $ref: "b.yaml#/b" }\n'
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

describe('a mistake in the command is reported in one line, with exit status 2', () => {
  test('through the program', async () => {
    const { status, complaint } = await generate(
      '--spec',
      'none.yaml',
      '--out',
      await createFolder(),
    )
    expect({ status, complaint }).toEqual({ status: 2, complaint: 'there is no file none.yaml\n' })
  })

  test('an output folder that cannot be made', async () => {
    const file = await writeSpec('')
    const { status, complaint } = await generate('--spec', fixtureSpec, '--out', join(file, 'out'))
    expect(status).toBe(2)
    expect(complaint).toMatch(/^cannot write to \S+: [^\n]+\n$/)
  })

  test.for([
    [
      ['--lint', 'lax'],
      /^--lint is strict, recommended, minimal, not 'lax'; usage: npm run generate/,
    ],
    [['--sepc', 'a.yaml'], /^Unknown option '--sepc'; usage: /],
    [['a.yaml'], /^Unexpected argument 'a\.yaml'; usage: /],
    [['--out'], /^Option '--out <value>' argument missing; usage: /],
    [['--spec', 'a.yaml'], /^--spec needs --out/],
  ] as const)('%j', ([args, complaint]) => {
    expect(() => readGenerateOptions(args)).toThrow(complaint)
  })
})

const workshop = join(import.meta.dirname, '../../fixture-api/files/workshop.yaml')
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

test('another directory, locale and time zone change no byte', async () => {
  const out = await createFolder()
  const { status } = await run(
    join(project, 'scripts/generate.ts'),
    ['--spec', workshop, '--out', out, '--lint', 'recommended'],
    { cwd: out, env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kolkata' } },
  )
  expect(status).toBe(0)
  expect(await readFolder(out)).toEqual(Object.fromEntries(artifacts))
})

test('the types fit under our settings and say what the description says', async () => {
  const folder = await createFolder()
  await writeFolder(folder, artifacts)
  await writeFile(join(folder, 'use.ts'), typesInUse)
  expect(await typeCheck(folder)).toBe('')
})

// Descriptions that nobody here wrote. They are not ours to ship, so they lie beside the project.
const folder = join(project, '../shared/specs')
const specs = existsSync(folder)
  ? readdirSync(folder).filter((name) => /\.(yaml|json)$/.test(name))
  : []

describe('a description that nobody here wrote', () => {
  test.for(specs)('%s compiles, and its types fit under our settings', async (name) => {
    const out = await createFolder()
    const { artifacts } = await compile(join(folder, name), 'minimal')
    await writeFolder(out, artifacts)
    expect(await typeCheck(out)).toBe('')
    const { operations } = await import(join(out, 'operations.ts'))
    expect(Object.keys(operations).length).toBeGreaterThan(5)
  })

  test('is looked for beside the project', async ({ annotate }) => {
    if (specs.length === 0) await annotate('there are none in ../shared/specs', leftOut)
  })
})

const typesInUse = `
import type { components, operations, webhooks } from './openapi.d.ts'
import { operations as table } from './operations.ts'

type Tool = components['schemas']['tool']
export const saw: Tool = { kind: 'saw', name: 'Ryoba', note: null, blade: [24, 0.5, 'mm'] }
export const drill: Tool = { kind: 'drill', name: 'Bit', power: 3, parts: [{ name: 'chuck' }] }

// @ts-expect-error a saw has no power
export const mixed: Tool = { kind: 'saw', name: 'Ryoba', power: 3 }
// @ts-expect-error the kind tells a drill, which needs its power
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
