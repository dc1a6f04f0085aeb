import { type Document, visit, type YAMLMap } from 'yaml'
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
export const codeEdits: readonly CodeEdits[] = [
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
      /^Equal<keyof List\['query'\]/,
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
