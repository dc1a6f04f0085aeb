import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Document, visit, type YAMLMap } from 'yaml'
import { expectFailure } from '../../helpers/npm-script.ts'
import {
  createProjectCopy,
  editSpec,
  generateIn,
  runServiceIn,
  typeErrorsIn,
} from '../../helpers/project-copy.ts'
import { type Edit, remove, set, together } from '../../helpers/spec-edit.ts'

const list = 'paths /pets get'
const fields = 'components schemas PetFields'
const describe = { description: 'It is new.', example: 'a', schema: { type: 'string' } }

/** Edits that need code, each with the file and the line that no longer compile. */
const codeEdits: Readonly<Record<string, readonly [edit: Edit, file: string, line: RegExp]>> = {
  'a header made required': [
    set(`${list} responses 200 headers Link`, { ...describe, required: true }),
    'server/pets/list-pets.ts',
    /^return async|^if .* return \{ status: 200, body \}$/,
  ],
  'a field removed': [
    together(
      remove(`${fields} properties status`),
      inEveryPet((pet) => pet.delete('status')),
    ),
    'server/pets/schema.ts',
    /^status: \['status', 'text'\],$/,
  ],
  'a status removed': [
    together(
      remove('x-common idempotencyKeyResponses 422'),
      remove('components responses IdempotencyKeyReused'),
    ),
    'server/pets/create-pet.ts',
    /return rejectKey\(/,
  ],
  'a body made optional': [
    set('paths /pets post requestBody required', false),
    'server/pets/create-pet.ts',
    /pets\.add\(body/,
  ],
  // Last, because it copies what the others have changed.
  'operations added': [addOperations, 'server/pets/handlers.ts', /^return \{$/],
}

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

const copy = await createProjectCopy(undefined, afterAll)
await editSpec(copy, ...Object.values(codeEdits).map(([edit]) => edit))
expect(await generateIn(copy)).toEqual([])
const errors = await typeErrorsIn(copy)

test.for(Object.entries(codeEdits))('%s: the compiler reports the line to fix', ([, row]) => {
  const [, file, line] = row
  expect(errors).toContainEqual({ file, code: expect.stringMatching(line) })
})

test('after no edit does the compiler report anything generated, or the client', () => {
  const files = errors.map(({ file }) => file)
  expect(files.filter((file) => !/^(?:server\/|test\/types\/)/.test(file))).toEqual([])
})

test('an operation without a handler: the service does not start and says why in one line', async () => {
  const line = 'Operation listOwnerPets has no handler. Write one, or put `sampled` in its place.'
  await expectFailure(runServiceIn(copy).ended, line)
})

test('with a description that was changed by hand, or without its digest, the service does not start', async () => {
  // No later test needs the copy.
  const file = join(copy, 'generated/openapi.json')
  await appendFile(file, '\n')
  const edited =
    /^\S+openapi\.json is not what was generated with the rest\. .*Run: npm run generate$/
  await expectFailure(runServiceIn(copy).ended, edited)
  await rm(`${file}.sha256`)
  const missing = /^There is no \S+openapi\.json\.sha256\. .*Run: npm run generate$/
  await expectFailure(runServiceIn(copy).ended, missing)
})
