import {
  atKey,
  atValue,
  type Edit,
  type Place,
  remove,
  rename,
  set,
} from '../../pipeline/support/spec-edit.ts'
import {
  deletePet,
  inEveryAnimal,
  pageNumber,
  partnerScheme,
  requiredHeader,
  together,
} from './changes.ts'
import { type Ask, get, post } from './service.ts'

/** What was done to the description, in a word and in detail. */
type Named = readonly [kind: string, what: string, edit: Edit]
type Enforced = readonly [...Named, ask: Ask, before: number, after: number]
type Refused = readonly [...Named, rule: string, at: Place]
type Mended = readonly [...Named, file: string, line: RegExp]
type Noticed = readonly [...Named, line: string]
type Stopped = readonly [...Named, complaint: RegExp]

const page = 'paths /pets get'
const one = 'paths /pets/{petId} get'
const add = 'paths /pets post'
const schemas = 'components schemas'
const fields = `${schemas} PetFields`
const parameters = 'components parameters'
const examples = 'responses 200 content application/json examples'
const newPets = `${add} requestBody content application/json examples`

/** The service enforces these with no other edit: the answer to a request changes. */
// biome-ignore format: a table
export const enforced: readonly Enforced[] = [
  ['an enum value added', 'PetStatus has reserved', set(`${schemas} PetStatus enum 3`, 'reserved'), post({ status: 'reserved' }), 400, 201],
  ['an enum value removed', 'PetStatus lacks pending', remove(`${schemas} PetStatus enum 1`), post({ status: 'pending' }), 201, 400],
  ['a limit changed', 'limit is at most 50', set(`${parameters} Limit schema maximum`, 50), get('/pets?limit=51'), 200, 400],
  ['a limit changed', 'name has at most 10 characters', set(`${fields} properties name maxLength`, 10), post({ name: 'Rex the dog' }), 201, 400],
  ['a parameter made required', 'status in a query', set(`${parameters} Status required`, true), get('/pets'), 200, 400],
  ['a key no longer asked for', 'listPets', set(`${page} security`, []), { ...get('/pets'), isAnonymous: true }, 401, 200],
]

/** `npm run generate` refuses these, at the place and by the rule that is named. */
// biome-ignore format: a table
export const refused: readonly Refused[] = [
  ['a field removed', 'status of PetFields', remove(`${fields} properties status`), 'no-invalid-schema-examples', atKey(`${schemas} NewPet examples 0 status`)],
  ['a field made required', 'status of PetFields', set(`${fields} required 2`, 'status'), 'no-invalid-media-type-examples', atKey(`${newPets} minimal value`)],
  ['a header removed', 'Link of listPets', remove(`${page} responses 200 headers Link`), 'service/pagination-declared', atValue(`${page} x-paginated-by`)],
  ['an example made invalid', 'a category without a number', set(`${one} ${examples} minimal value categoryId`, 'dogs'), 'no-invalid-media-type-examples', atValue(`${one} ${examples} minimal value categoryId`)],
]

/** The compiler refuses these, at the hand-written line to mend. */
// biome-ignore format: a table
export const mended: readonly Mended[] = [
  ['a field added', 'nickname in PetFields', set(`${fields} properties nickname`, { description: 'Another name.', type: 'string', examples: ['R'] }), 'server/store/animal-row.ts', /satisfies Record<keyof Animal \|/],
  ['a field removed', 'status of PetFields and its examples', together(remove(`${fields} properties status`), inEveryAnimal((animal) => animal.delete('status'))), 'server/store/animal-row.ts', /^status: 'status',$/],
  ['a field made required', 'status of PetFields and its examples', together(set(`${fields} required 2`, 'status'), inEveryAnimal((animal) => animal.set('status', 'sold'))), 'server/store/animal-row.ts', /^return \{ id, name, categoryId, /],
  ['a parameter renamed', 'limit is pageSize', set(`${parameters} Limit name`, 'pageSize'), 'server/animals/list-pets.ts', /\{ query: \{ limit,/],
  ['a parameter added', 'page of listPets', set(`${page} parameters 3`, pageNumber), 'test/types/known-inputs.test-d.ts', /^Equal<keyof List\['query'\]/],
  ['a status removed', '404 of getPet', remove(`${one} responses 404`), 'server/animals/get-pet.ts', /^return async|failure\(404/],
  ['a status changed', '201 of createPet is 200', rename(`${add} responses 201`, '200'), 'server/animals/create-pet.ts', /^return async|status: 201/],
  ['an operation added', 'deletePet', set('paths /pets/{petId} delete', deletePet), 'server/animals/handlers.ts', /^return \{$/],
  ['a header made required', 'Link of listPets', set(`${page} responses 200 headers Link`, requiredHeader), 'server/animals/list-pets.ts', /^return async|^if .* return \{ status: 200, body \}$/],
  ['a header removed', 'Idempotent-Replayed', together(remove(`${add} responses 201 headers Idempotent-Replayed`), remove('components headers Idempotent-Replayed')), 'server/animals/create-pet.ts', /'Idempotent-Replayed': true/],
  ['a body made optional', 'of createPet', set(`${add} requestBody required`, false), 'server/animals/create-pet.ts', /animals\.add\(body/],
]

/** A run of the tests fails, and says why in this line. */
// biome-ignore format: a table
export const noticed: readonly Noticed[] = [
  ['a status added', '404 of listPets', set(`${page} responses 404`, { $ref: '#/components/responses/NotFound' }), 'documented, and seen by no test: listPets 404'],
]

/** The service does not start, and says why in this line. */
// biome-ignore format: a table
export const stopped: readonly Stopped[] = [
  ['a security scheme added and required', 'partner', together(set('components securitySchemes partner', partnerScheme), set('security 0 partner', [])), /^Nothing checks the security scheme partner as described\. .+$/],
]
