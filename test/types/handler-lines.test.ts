import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { typeFaultsIn } from '../edits/support/compiling.ts'
import { createSharedCopy, removeCopy, replaceIn } from '../edits/support/project-copy.ts'

let copy: string

// The service alone: the compiler has more than ten times to read it.
const service = 'tsconfig.service.json'

beforeAll(async () => {
  copy = await createSharedCopy()
  const settings = { extends: './tsconfig.json', files: ['server/main.ts'], include: [] }
  await writeFile(join(copy, service), JSON.stringify(settings))
})
afterAll(() => removeCopy(copy))

const table = 'server/animals/handlers.ts'
const getPet = 'server/animals/get-pet.ts'
const listPets = 'server/animals/list-pets.ts'
const createPet = 'server/animals/create-pet.ts'

// What is wrong, the file, what stands there and what is written instead, and where the compiler
// points: at the handler, or closer yet.
const mistakes: readonly (readonly [string, string, string, string, RegExp])[] = [
  ['a missing handler', table, '    getPet: getPet(animals),\n', '', /^return \{$/],
  [
    'an extra handler',
    table,
    '    getPet: getPet(animals),\n',
    '    getPet: getPet(animals),\n    killPet: getPet(animals),\n',
    /^killPet: /,
  ],
  ['a misspelled handler', table, '    getPet: getPet', '    getPett: getPet', /^getPett: /],
  ['an undeclared status', getPet, 'status: 200', 'status: 418', /^return async|418/],
  [
    'an undeclared status of bad news',
    getPet,
    "404, 'not_found'",
    "413, 'payload_too_large'",
    /^return async|413/,
  ],
  ['an error code of another status', getPet, "'not_found'", "'rate_limited'", /'rate_limited'/],
  [
    'a wrong body',
    listPets,
    'return { status: 200, body }',
    'return { status: 200, body: last }',
    /^return async|body: last/,
  ],
  ['no body', getPet, 'status: 200, body', 'status: 200', /^return async|status: 200/],
  [
    'no Retry-After on 409',
    createPet,
    "return { ...refused, headers: { 'Retry-After': 1 } }",
    'return refused',
    /^return async|return refused/,
  ],
  [
    'an undeclared header',
    getPet,
    'status: 200, body',
    "status: 200, body, headers: { 'Retry-After': 1 }",
    /^return async|Retry-After/,
  ],
  [
    'a path parameter that does not exist',
    getPet,
    'path: { petId }',
    'path: { id: petId }',
    /id: petId/,
  ],
  [
    'a query parameter that does not exist',
    listPets,
    'limit, status, cursor }',
    'limit, status, cursor, page }',
    /page \}/,
  ],
  [
    'a header that does not exist',
    createPet,
    "headers['Idempotency-Key']",
    "headers['If-Match']",
    /If-Match/,
  ],
  [
    'a link with a parameter that does not exist',
    listPets,
    'hrefWith({ limit, status, ',
    'hrefWith({ limit, state: status, ',
    /state: status/,
  ],
]

test('the handlers as they are compile', async () => {
  expect(await typeFaultsIn(copy, service)).toEqual([])
})

const rows = mistakes.map(([what, file, find, mistake, code]) => {
  return { what, file, find, mistake, code }
})

test.for(rows)('$what does not compile, at the line of the handler in $file', async (row) => {
  const before = await replaceIn(copy, row.file, row.find, row.mistake)
  onTestFinished(() => writeFile(join(copy, row.file), before))
  const faults = await typeFaultsIn(copy, service)
  expect(faults.map(({ file }) => file)).toEqual(faults.map(() => row.file))
  expect(faults.map(({ code }) => code)).toContainEqual(expect.stringMatching(row.code))
})
