import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editSpec } from '../edits/support/project-copy.ts'
import { remove, set } from '../pipeline/support/spec-edit.ts'
import { readFolder } from '../pipeline/support/workspace.ts'
import { shareLoop } from './support/shared-loop.ts'

const { copy, loop, spec, original, afterSave } = shareLoop()

async function status(path: string): Promise<number> {
  return (await loop().send(path)).status
}

test('a save that is fine is enforced, and is one line in the terminal', async () => {
  expect(await status('/v1/pets?limit=51')).toBe(200)
  const save = () => editSpec(copy(), set(`components parameters Limit schema maximum`, 50))
  const { state, printed } = await afterSave(save, ({ isHealthy }) => isHealthy)
  expect(state).toMatchObject({ saved: ['spec/openapi.yaml'], lint: [], code: [] })
  expect(Object.keys(state.milliseconds)).toEqual(
    expect.arrayContaining(['lint', 'generate', 'types', 'restart', 'total']),
  )
  expect(await status('/v1/pets?limit=51')).toBe(400)
  await expect
    .poll(() => printed().split('\n').at(-2))
    .toMatch(/^\d\d:\d\d:\d\d {2}spec\/openapi\.yaml {2}ok {2}.*\d\.\d\d s: lint \d\.\d\d/)
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
    .poll(printed)
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
  await expect.poll(() => status('/v1/pets?limit=45'), { timeout: 20_000 }).toBe(200)
  expect(await status('/v1/pets?limit=46')).toBe(400)
})
