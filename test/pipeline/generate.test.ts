import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../scripts/pipeline/output-folder.ts'
import { generate, run } from './support/program.ts'
import {
  copyProject,
  createFolder,
  project,
  readFolder,
  writeChangedSpec,
} from './support/workspace.ts'

const spec = join(project, 'spec/openapi.yaml')

test('the committed files are what the spec compiles into, byte for byte', async () => {
  const { artifacts } = await compile(spec, 'strict')
  expect(Object.fromEntries(artifacts)).toEqual(await readFolder(join(project, 'generated')))
})

test('a first run writes every file and says so in one line', async () => {
  const out = join(await createFolder(), 'new/folder')
  const { status, output, complaint } = await generate('--spec', spec, '--out', out)
  expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
  expect(output).toMatch(
    /^generated \S+: changed openapi\.d\.ts, openapi\.json, openapi\.json\.sha256, calls\.ts, examples\.ts, operations\.ts, validators\.js, validators\.d\.ts \(\d\.\d s\)\n$/,
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

test('problems that a file tells the linter to ignore are refused too', async () => {
  const copy = await copyProject()
  const changed = join(copy, 'spec/openapi.yaml')
  const text = await readFile(changed, 'utf8')
  await writeFile(changed, text.replace('operationId: createPet', 'operationId: Create_pet'))
  const ignored = {
    'spec/openapi.yaml': { 'rule/operation-id-casing': ['#/paths/~1pets/post/operationId'] },
  }
  await writeFile(join(copy, '.redocly.lint-ignore.yaml'), JSON.stringify(ignored))
  const { status, complaint } = await run(join(copy, 'scripts/generate.ts'), [], { cwd: copy })
  expect(status).toBe(1)
  expect(complaint).toMatch(/openapi\.yaml: problems are ignored \(1\); mend them instead/)
})
