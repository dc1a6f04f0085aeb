import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deletePet } from '../edits/support/changes.ts'
import { generateIn } from '../edits/support/compiling.ts'
import { createProjectCopy, editSpec, replaceIn } from '../edits/support/project-copy.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { patiently } from './support/patience.ts'
import { shareLoop } from './support/shared-loop.ts'

const { copy, loop, afterSave } = shareLoop()

async function status(path: string): Promise<number> {
  return (await loop().send(path)).status
}

test('an operation without a handler is answered with a sample, and its line is shown', async () => {
  const save = () => editSpec(copy(), set('paths /pets/{petId} delete', deletePet))
  const { state, printed } = await afterSave(save, ({ code }) => code.length > 0)
  const line = await lineOf('server/animals/handlers.ts', /^ {2}return \{$/)
  expect(state.code).toContainEqual({
    file: 'server/animals/handlers.ts',
    line,
    column: 3,
    message: expect.stringContaining('deletePet'),
  })
  expect(state.operations.find(({ operationId }) => operationId === 'deletePet')).toEqual({
    operationId: 'deletePet',
    method: 'delete',
    path: '/pets/{petId}',
    summary: 'Remove an animal',
    state: 'mocked',
    deprecated: false,
  })
  await expect.poll(printed, patiently).toMatch(/^ {2}mocked +deletePet: no handler yet/m)
  const remove = (headers = {}) => loop().send('/v1/pets/7', { method: 'DELETE', headers })
  expect((await remove()).status).toBe(204)
  const refused = await remove({ Prefer: 'code=404' })
  expect(refused.headers.get('Preference-Applied')).toBe('code=404')
  expect(await refused.json()).toMatchObject({ code: 'not_found', status: 404 })
  // What has a handler is as it was.
  expect(await status('/v1/pets')).toBe(200)
})

test('a renamed parameter is shown at the line of the handler that reads it', async () => {
  const save = () => editSpec(copy(), set(`components parameters Limit name`, 'pageSize'))
  const { state, printed } = await afterSave(save, ({ code }) => code.length > 0)
  const line = await lineOf('server/animals/list-pets.ts', /\{ query: \{ limit,/)
  expect(state.code[0]).toMatchObject({ file: 'server/animals/list-pets.ts', line })
  await expect.poll(printed, patiently).toContain(`server/animals/list-pets.ts:${line}:`)
})

test('code that cannot be loaded is not served; the code before it goes on', async () => {
  const file = 'server/animals/get-pet.ts'
  let before = ''
  const save = async () => {
    before = await replaceIn(copy(), file, 'return async', 'return return')
  }
  const { state } = await afterSave(save, ({ code }) => code.length > 0)
  expect(state.code[0]).toMatchObject({ file })
  expect(state.trouble).toMatch(/SyntaxError/)
  expect(await status('/v1/pets')).toBe(200)
  const mend = () => writeFile(join(copy(), file), before)
  const mended = await afterSave(mend, ({ isHealthy }) => isHealthy)
  expect(mended.state.trouble).toBeUndefined()
})

test('a service that does not stay is left alone until the next save', async () => {
  const file = 'server/animals/handlers.ts'
  let before = ''
  const save = async () => {
    before = await replaceIn(
      copy(),
      file,
      '  const { animals } = store\n',
      '  const { animals } = store\n  setTimeout(() => process.exit(3), 300)\n',
    )
  }
  const { state, printed } = await afterSave(save, ({ trouble }) => trouble !== undefined)
  expect(state.trouble).toMatch(/^It ends again and again \(status 3\)/)
  await expect.poll(printed, patiently).toContain('The service ended by itself (status 3)')
  await afterSave(
    () => writeFile(join(copy(), file), before),
    ({ isHealthy }) => isHealthy,
  )
  expect(await status('/v1/pets')).toBe(200)
})

test('requests are listed, with what is off the contract and with the code of a refusal', async () => {
  const file = 'server/animals/get-pet.ts'
  let before = ''
  const save = async () => {
    before = await replaceIn(
      copy(),
      file,
      'status: 200, body',
      'status: 200, body: { ...body, id: 0.5 }',
    )
  }
  await afterSave(save, ({ run }) => run > 0)
  const added = await loop().send('/v1/pets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 7 }),
  })
  const { id } = await added.json()
  expect(await (await loop().send(`/v1/pets/${id}`)).json()).toMatchObject({ id: 0.5 })
  await loop().send('/v1/pets?limit=0')
  const { requests } = await loop().until(({ requests }) => requests.at(-1)?.status === 400)
  expect(requests.slice(-3)).toMatchObject(
    [
      { method: 'POST', path: '/v1/pets', status: 201, violations: [] },
      { method: 'GET', path: `/v1/pets/${id}`, status: 200, violations: [/id/] },
      { path: '/v1/pets?limit=0', status: 400, code: 'invalid_request', violations: [] },
    ].map((row) => ({
      ...row,
      violations: row.violations.map((text) => expect.stringMatching(text)),
    })),
  )
  await afterSave(
    () => writeFile(join(copy(), file), before),
    ({ isHealthy }) => isHealthy,
  )
})

async function lineOf(file: string, code: RegExp): Promise<number> {
  const lines = (await readFile(join(copy(), file), 'utf8')).split('\n')
  return lines.findIndex((line) => code.test(line)) + 1
}

test('what somebody generated before the loop did is served all the same', async () => {
  const other = await createProjectCopy()
  const text = await editSpec(other, set('components parameters Limit schema maximum', 60))
  expect(await generateIn(other)).toEqual([])
  await cp(join(other, 'generated'), join(copy(), 'generated'), { recursive: true })
  await writeFile(join(copy(), 'spec/openapi.yaml'), text)
  await expect.poll(() => status('/v1/pets?limit=61'), patiently).toBe(400)
})
