import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Document, visit, type YAMLMap } from 'yaml'
import { expectFailure } from '../../helpers/npm-script.ts'
import {
  createSharedCopy,
  editSpec,
  generateIn,
  removeCopy,
  runServiceIn,
  typeErrorsIn,
} from '../../helpers/project-copy.ts'
import { append, type Edit, remove, set, together } from '../../helpers/spec-edit.ts'

/** Edits by what they do, each with the file and the line that no longer compile. */
type CodeEdits = Readonly<Record<string, readonly [edit: Edit, file: string, line: RegExp]>>

const list = 'paths /pets get'
const create = 'paths /pets post'
const fields = 'components schemas PetFields'
const limit = 'components parameters Limit'
const row = 'server/pets/pet-store.ts'
const describe = { description: 'It is new.', example: 'a', schema: { type: 'string' } }

/** A header that the service does not send. */
const optionalHeader = { ...describe, required: false }

/** Edits that need code; those of one description do not hide each other. */
const codeEdits: readonly CodeEdits[] = [
  {
    'a status added': [
      set(`${list} responses 404`, { $ref: '#/components/responses/NotFound' }),
      'test/types/known-responses.test-d.ts',
      /Statuses<'listPets'>/,
    ],
    'a header added': [
      set(`${list} responses 200 headers X-Extra`, optionalHeader),
      'test/types/known-responses.test-d.ts',
      /Headers<'listPets'>/,
    ],
    'a parameter added': [
      append(`${list} parameters`, { ...describe, name: 'page', in: 'query' }),
      'test/types/known-inputs.test-d.ts',
      /^Exclude<keyof List\['query'\]/,
    ],
    'a field added': [
      set(`${fields} properties nickname`, { description: 'A.', type: 'string', examples: ['R'] }),
      'server/pets/schema.ts',
      /satisfies Record<keyof NewPet,/,
    ],
    'a field made required': [
      together(
        append(`${fields} required`, 'status'),
        inEveryPet((pet) => pet.set('status', 'sold')),
      ),
      row,
      /^return status === null \? \{ id, name, categoryId \}/,
    ],
    'a header made required': [
      set(`${list} responses 200 headers Link`, { ...describe, required: true }),
      'server/pets/list-pets.ts',
      /^return async|^if .* return \{ status: 200, body \}$/,
    ],
    'operations added': [addOperations, 'server/pets/handlers.ts', /^return \{$/],
  },
  {
    'a field removed': [
      together(
        remove(`${fields} properties status`),
        inEveryPet((pet) => pet.delete('status')),
      ),
      'server/pets/schema.ts',
      /^status: \['status', 'text'\],$/,
    ],
    'a parameter renamed': [
      set(`${limit} name`, 'pageSize'),
      'server/pets/list-pets.ts',
      /\{ query: \{ limit,/,
    ],
    'a status removed': [
      together(
        remove('x-common idempotencyKeyResponses 422'),
        remove('components responses IdempotencyKeyReused'),
      ),
      'server/pets/create-pet.ts',
      /return rejectKey\(/,
    ],
    'a header removed': [
      together(
        remove('x-common idempotencyKeyHeaders'),
        remove('components headers Idempotent-Replayed'),
      ),
      'server/pets/create-pet.ts',
      /createdResponse\(/,
    ],
    'a body made optional': [
      set(`${create} requestBody required`, false),
      'server/pets/create-pet.ts',
      /pets\.add\(body/,
    ],
  },
]

/** Adds a copy of each operation on the collection, below a path with a parameter. */
function addOperations(description: Document): void {
  const { get, post } = description.toJS().paths['/pets']
  const ownerId = { ...describe, name: 'ownerId', in: 'path', required: true }
  const source = { ...describe, name: 'X-Source', in: 'header', required: true }
  set('paths /owners/{ownerId}/pets', {
    parameters: [ownerId],
    get: { ...get, operationId: 'listOwnerPets' },
    post: { ...post, operationId: 'addOwnerPet', parameters: [...post.parameters, source] },
  })(description)
}

/** Changes the pets in all examples, as a designer does who edits their schema with care. */
function inEveryPet(change: (pet: YAMLMap) => void): Edit {
  return (description) => {
    visit(description, {
      Map(_, map) {
        if (typeof map.get('categoryId') === 'number') change(map)
      },
    })
  }
}

const copies = await Array.fromAsync(codeEdits, async (edits) => {
  const folder = await createSharedCopy()
  afterAll(() => removeCopy(folder))
  await editSpec(folder, together(...Object.values(edits).map(([edit]) => edit)))
  expect(await generateIn(folder)).toEqual([])
  return { folder, edits, errors: await typeErrorsIn(folder) }
})
const rows = copies.flatMap(({ edits, errors }) =>
  Object.entries(edits).map(([what, [, file, line]]) => ({ what, file, line, errors })),
)

test.for(rows)('$what: the compiler reports the line to fix in $file', ({ file, line, errors }) => {
  expect(errors).toContainEqual({ file, code: expect.stringMatching(line) })
})

test('after no edit does the compiler report anything generated, or the client', () => {
  const files = copies.flatMap(({ errors }) => errors.map(({ file }) => file))
  expect(files.filter((file) => !/^(?:server\/|test\/types\/)/.test(file))).toEqual([])
})

test('an operation without a handler: the service does not start and says why in one line', async () => {
  const line = 'Operation listOwnerPets has no handler. Write one, or put `sampled` in its place.'
  await expectFailure(runServiceIn(copies[0]?.folder ?? '').ended, line)
})

test('with a description that was changed by hand, or without its digest, the service does not start', async () => {
  // Its errors were read before; no later test needs the copy.
  const copy = copies[1]?.folder ?? ''
  const file = join(copy, 'generated/openapi.json')
  await appendFile(file, '\n')
  const edited =
    /^\S+openapi\.json is not what was generated with the rest\. .*Run: npm run generate$/
  await expectFailure(runServiceIn(copy).ended, edited)
  await rm(`${file}.sha256`)
  const missing = /^There is no \S+openapi\.json\.sha256\. .*Run: npm run generate$/
  await expectFailure(runServiceIn(copy).ended, missing)
})
