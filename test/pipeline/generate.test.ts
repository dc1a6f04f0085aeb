import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { readGenerateOptions } from '../../scripts/pipeline/command-line.ts'
import { writeFolder } from '../../scripts/pipeline/output-folder.ts'
import { generate } from './support/program.ts'
import {
  createFolder,
  project,
  readFolder,
  writeChangedSpec,
  writeSpec,
} from './support/workspace.ts'

const spec = join(project, 'spec/openapi.yaml')

test('the committed files are what the spec compiles into, byte for byte', async () => {
  const { artifacts } = await compile(spec, 'strict')
  expect(Object.fromEntries(artifacts)).toEqual(await readFolder(join(project, 'generated')))
})

test('a first run writes the three files and says so in one line', async () => {
  const out = join(await createFolder(), 'new/folder')
  const { status, output, complaint } = await generate('--spec', spec, '--out', out)
  expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
  expect(output).toMatch(
    /^generated \S+: changed openapi\.d\.ts, openapi\.json, operations\.ts \(\d\.\d s\)\n$/,
  )
  expect(await readdir(out)).toEqual(['openapi.d.ts', 'openapi.json', 'operations.ts'])
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
  await generate('--spec', spec, '--out', out)
  const before = await readFolder(out)
  const changed = await writeChangedSpec('operationId: createPet', 'operationId: Create_pet')
  const { status, output, complaint } = await generate('--spec', changed, '--out', out)
  expect(status).toBe(1)
  expect(output).toBe('')
  expect(complaint).toMatch(
    /openapi\.yaml:\d+:\d+ rule\/operation-id-casing An operationId is camelCase/,
  )
  expect(await readFolder(out)).toEqual(before)
})

describe('a description that cannot be read is refused in one line', () => {
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

describe('a mistake in the command is told in one line, with exit status 2', () => {
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
    const { status, complaint } = await generate('--spec', spec, '--out', join(file, 'out'))
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
