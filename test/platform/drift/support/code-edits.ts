import { remove, rename, set, together } from '../../pipeline/support/spec-edit.ts'
import { deletePet, inEveryAnimal, optionalHeader, pageNumber, requiredHeader } from './changes.ts'
import type { Named } from './edits.ts'

type Mended = readonly [...Named, file: string, line: RegExp]

const page = 'paths /pets get'
const one = 'paths /pets/{petId} get'
const add = 'paths /pets post'
const schemas = 'components schemas'
const fields = `${schemas} PetFields`
const parameters = 'components parameters'
const notFound = { $ref: '#/components/responses/NotFound' }
const statusAdded = set(`${page} responses 404`, notFound)
const headerAdded = set(`${page} responses 200 headers X-Extra`, optionalHeader)
const known = 'test/types/known-responses.test-d.ts'

/** The compiler refuses these, at the hand-written line to mend. */
export const mended: readonly Mended[] = [
  ['a status added', '404 of listPets', statusAdded, known, /Statuses<'listPets'>/],
  ['a header added', 'X-Extra of listPets', headerAdded, known, /Headers<'listPets'>/],
  [
    'a field added',
    'nickname in PetFields',
    set(`${fields} properties nickname`, {
      description: 'Another name.',
      type: 'string',
      examples: ['R'],
    }),
    'server/store/animal-row.ts',
    /satisfies Record<keyof Animal \|/,
  ],
  [
    'a field removed',
    'status of PetFields and its examples',
    together(
      remove(`${fields} properties status`),
      inEveryAnimal((animal) => animal.delete('status')),
    ),
    'server/store/animal-row.ts',
    /^status: 'status',$/,
  ],
  [
    'a field made required',
    'status of PetFields and its examples',
    together(
      set(`${fields} required 2`, 'status'),
      inEveryAnimal((animal) => animal.set('status', 'sold')),
    ),
    'server/store/animal-row.ts',
    /^return status === null \? \{ id, name, categoryId \}/,
  ],
  [
    'a parameter renamed',
    'limit is pageSize',
    set(`${parameters} Limit name`, 'pageSize'),
    'server/animals/list-pets.ts',
    /\{ query: \{ limit,/,
  ],
  [
    'a parameter added',
    'page of listPets',
    set(`${page} parameters 3`, pageNumber),
    'test/types/known-inputs.test-d.ts',
    /^Equal<keyof List\['query'\]/,
  ],
  [
    'a status removed',
    '404 of getPet',
    remove(`${one} responses 404`),
    'server/animals/get-pet.ts',
    /^return async|failure\(404/,
  ],
  [
    'a status changed',
    '201 of createPet is 200',
    rename(`${add} responses 201`, '200'),
    'server/animals/create-pet.ts',
    /^return async|status: 201/,
  ],
  [
    'an operation added',
    'deletePet',
    set('paths /pets/{petId} delete', deletePet),
    'server/animals/handlers.ts',
    /^return \{$/,
  ],
  [
    'a header made required',
    'Link of listPets',
    set(`${page} responses 200 headers Link`, requiredHeader),
    'server/animals/list-pets.ts',
    /^return async|^if .* return \{ status: 200, body \}$/,
  ],
  [
    'a header removed',
    'Idempotent-Replayed',
    together(
      remove(`${add} responses 201 headers Idempotent-Replayed`),
      remove('components headers Idempotent-Replayed'),
    ),
    'server/animals/create-pet.ts',
    /'Idempotent-Replayed': true/,
  ],
  [
    'a body made optional',
    'of createPet',
    set(`${add} requestBody required`, false),
    'server/animals/create-pet.ts',
    /animals\.add\(body/,
  ],
]
