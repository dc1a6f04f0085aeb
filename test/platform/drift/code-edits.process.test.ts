import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { together } from '../pipeline/support/spec-edit.ts'
import { codeEdits } from '../spec-edits/code-edits.ts'
import {
  type CompileError,
  createSharedCopy,
  editSpec,
  generateIn,
  removeCopy,
  runIn,
  runServiceIn,
  typeErrorsIn,
} from './support/project-copy.ts'

/** A program that uses the client; it prints what its calls return and send. */
const program = `
import { createAnimalStore } from '../client/index.ts'

const sent: unknown[] = []
const pet = { id: 1, name: 'Mia', categoryId: 3, status: 'sold' }
const store = createAnimalStore({
  baseUrl: 'https://animals.example/v1',
  apiKey: 'ask_test',
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const { method, headers: fields } = request
    const keys = ['idempotency-key', 'x-source'].map((name) => fields.get(name))
    sent.push([method, pathname + search, await request.text(), ...keys])
    if (request.method === 'POST') return Response.json(pet, { status: 201 })
    const headers = { Link: '<?cursor=c' + sent.length + '>; rel="next"' }
    return Response.json([pet], sent.length < 3 ? { headers } : {})
  },
})

const names: string[] = []
for await (const { name } of store.listOwnerPets('me', { limit: 1 }, { maxPages: 9 })) names.push(name)
const mia = { name: 'Mia', categoryId: 3, status: 'sold' } as const
const headers = { 'Idempotency-Key': 'once', 'X-Source': 'a' }
const { id } = await store.addOwnerPet('me', mia, { headers })
console.log(JSON.stringify({ names, id, sent }))
`

const rows = codeEdits.flatMap((edits, index) =>
  Object.entries(edits).map(([what, [edit, file, line]]) => ({ what, edit, file, line, index })),
)
const copies: { readonly folder: string; readonly errors: readonly CompileError[] }[] = []

beforeAll(async () => {
  for (const index of codeEdits.keys()) {
    const folder = await createSharedCopy()
    const edits = rows.filter((row) => row.index === index).map(({ edit }) => edit)
    await editSpec(folder, together(...edits))
    expect(await generateIn(folder)).toEqual([])
    if (index === 0) await writeFile(join(folder, 'test/program.ts'), program)
    copies.push({ folder, errors: await typeErrorsIn(folder) })
  }
  return () => Promise.all(copies.map(({ folder }) => removeCopy(folder)))
}, 300_000)

test.for(rows)('$what: the compiler reports the line to fix in $file', ({ file, line, index }) => {
  expect(copies[index]?.errors).toContainEqual(
    expect.objectContaining({ file, code: expect.stringMatching(line) }),
  )
})

test('after no edit does the compiler report anything generated, or the client', () => {
  const files = copies.flatMap(({ errors }) => errors.map(({ file }) => file))
  expect(files.filter((file) => !/^(?:server\/|test\/types\/)/.test(file))).toEqual([])
})

test('values, limits, required parameters and credentials need no other code', () => {
  // The third description has these edits, and another status.
  const ofStatus = ({ code, file }: { code: string; file: string }) =>
    /\b201\b/.test(code) || file === 'test/types/known-responses.test-d.ts'
  const errors = copies[2]?.errors.filter((error) => !ofStatus(error))
  expect(errors).toEqual([])
})

test('an operation that is added to the spec is a method of the client, typed by it', async () => {
  const { output, complaint } = await runIn(copies[0]?.folder ?? '', 'test/program.ts')
  expect(complaint).toBe('')
  expect(JSON.parse(output)).toEqual({
    names: ['Mia', 'Mia', 'Mia'],
    id: 1,
    sent: [
      ['GET', '/v1/owners/me/pets?limit=1', '', null, null],
      ['GET', '/v1/owners/me/pets?limit=1&cursor=c1', '', null, null],
      ['GET', '/v1/owners/me/pets?limit=1&cursor=c2', '', null, null],
      ['POST', '/v1/owners/me/pets', '{"name":"Mia","categoryId":3,"status":"sold"}', 'once', 'a'],
    ],
  })
})

test('an operation without a handler: the service does not start and says why in one line', async () => {
  const { status, output, complaint } = await runServiceIn(copies[0]?.folder ?? '').ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(complaint).toMatch(
    /^Operation listOwnerPets has no handler\. Write one; .*npm run dev.*\n$/,
  )
})
