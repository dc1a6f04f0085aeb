import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { together } from '../edits/support/changes.ts'
import { editSpec } from '../edits/support/project-copy.ts'
import { remove, set } from '../pipeline/support/spec-edit.ts'
import { readFolder } from '../pipeline/support/workspace.ts'
import { patiently } from './support/patience.ts'
import { shareLoop } from './support/shared-loop.ts'

const newVersion = set('info version', '99.0.0')
const { copy, loop, spec, original, afterSave } = shareLoop()

async function status(path: string): Promise<number> {
  return (await loop().send(path)).status
}

test('a save that is fine is enforced, and is one line in the terminal', async () => {
  expect(await status('/v1/pets?limit=150')).toBe(400)
  const edit = together(set('components parameters Limit schema maximum', 200), newVersion)
  const { state, printed } = await afterSave(
    () => editSpec(copy(), edit),
    ({ isHealthy }) => isHealthy,
  )
  expect(state).toMatchObject({ saved: ['spec/openapi.yaml'], lint: [], code: [] })
  expect(Object.keys(state.milliseconds)).toEqual(
    expect.arrayContaining(['lint', 'generate', 'types', 'restart', 'total']),
  )
  expect(await status('/v1/pets?limit=150')).toBe(200)
  // What code is compiled with is the same: nothing is compiled.
  expect(state.milliseconds).not.toHaveProperty('tests')
  const line = /^\d\d:\d\d:\d\d {2}spec\/openapi\.yaml {2}ok {2}.*\d\.\d\d s: lint \d\.\d\d/
  await expect.poll(() => printed().split('\n').at(-2), patiently).toMatch(line)
})

test('a breaking save says what it means for consumers, and which version it needs', async () => {
  // Whatever was released, it is what the spec is now.
  await writeFile(join(copy(), 'spec/released.yaml'), original())
  const { version } = parse(original()).info
  const edit = set('components parameters Limit schema maximum', 50)
  const { state, printed } = await afterSave(
    () => editSpec(copy(), edit),
    ({ diff }) => diff !== undefined && diff.step !== 'none',
  )
  const next = `${Number.parseInt(version, 10) + 1}.0.0`
  expect(state.diff).toMatchObject({ step: 'major', needed: next, current: { version } })
  expect(state.diff?.changes[0]).toMatchObject({ breaking: true })
  await expect.poll(printed, patiently).toMatch(/^ {2}breaking +\S.*limit/m)
  await expect.poll(printed, patiently).toMatch(new RegExp(`^  version +${next} is needed`, 'm'))
  await expect.poll(() => status('/v1/pets?limit=51'), patiently).toBe(400)
})

test('a fault is named with its place, and what was served before goes on', async () => {
  const before = await readFolder(join(copy(), 'generated'))
  const save = () => editSpec(copy(), remove('paths /pets get responses 200 headers Link'))
  const { state, printed } = await afterSave(save, ({ lint }) => lint.length > 0)
  expect(state.isHealthy).toBe(false)
  expect(state.lint).toContainEqual({
    file: 'spec/openapi.yaml',
    line: expect.any(Number),
    column: expect.any(Number),
    rule: 'service/pagination-declared',
    severity: 'error',
    message: expect.stringMatching(/\S/),
  })
  await expect
    .poll(printed, patiently)
    .toMatch(/^ {2}spec +spec\/openapi\.yaml:\d+:\d+ service\/pagination-declared /m)
  expect(await readFolder(join(copy(), 'generated'))).toEqual(before)
  expect(await status('/v1/pets')).toBe(200)

  const repaired = await afterSave(
    () => writeFile(spec(), original()),
    ({ isHealthy }) => isHealthy,
  )
  expect(repaired.state.lint).toEqual([])
})

test.for([
  ['an emptied file', ''],
  ['a text that is no YAML', 'openapi: ['],
  ['another document', 'a: 1\n'],
])('%s does not stop the loop', async ([, text = '']) => {
  const { state } = await afterSave(
    () => writeFile(spec(), text),
    ({ lint }) => lint.length > 0,
  )
  expect(state.lint).toHaveLength(1)
  expect(state.lint[0]?.file).toBe('spec/openapi.yaml')
  expect(await status('/v1/pets')).toBe(200)
})

test('a file that is renamed over the spec, and two saves in a moment, are seen', async () => {
  const edited = (maximum: number) =>
    original().replace('maximum: 100, default', `maximum: ${maximum}, default`)
  const renamed = async () => {
    await writeFile(join(copy(), 'spec/.openapi.yaml.new'), edited(30))
    await rename(join(copy(), 'spec/.openapi.yaml.new'), spec())
  }
  await afterSave(renamed, ({ isHealthy }) => isHealthy)
  expect(await status('/v1/pets?limit=31')).toBe(400)

  await writeFile(spec(), edited(40))
  await writeFile(spec(), '')
  await new Promise((resolve) => setTimeout(resolve, 10))
  await writeFile(spec(), edited(45))
  await expect.poll(() => status('/v1/pets?limit=45'), patiently).toBe(200)
  expect(await status('/v1/pets?limit=46')).toBe(400)
})
