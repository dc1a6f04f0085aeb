import {
  atKey,
  atValue,
  type Edit,
  type Place,
  remove,
  set,
  together,
} from '../../pipeline/support/spec-edit.ts'
import { partnerScheme } from './changes.ts'
import { type Ask, get, post } from './service.ts'

/** What was done to the description, in a word and in detail. */
export type Named = readonly [kind: string, what: string, edit: Edit]
export type Enforced = readonly [...Named, ask: Ask, before: number, after: number]
type Refused = readonly [...Named, rule: string, at: Place]

const page = 'paths /pets get'
const one = 'paths /pets/{petId} get'
const add = 'paths /pets post'
const schemas = 'components schemas'
const fields = `${schemas} PetFields`
const parameters = 'components parameters'
const examples = 'responses 200 content application/json examples'
const newPets = `${add} requestBody content application/json examples`

/** The service enforces these with no other edit: the answer to a request changes. */
export const enforced: readonly Enforced[] = [
  [
    'an enum value added',
    'PetStatus has reserved',
    set(`${schemas} PetStatus enum 3`, 'reserved'),
    post({ status: 'reserved' }),
    400,
    201,
  ],
  [
    'an enum value removed',
    'PetStatus lacks pending',
    remove(`${schemas} PetStatus enum 1`),
    post({ status: 'pending' }),
    201,
    400,
  ],
  [
    'a limit changed',
    'limit is at most 50',
    set(`${parameters} Limit schema maximum`, 50),
    get('/pets?limit=51'),
    200,
    400,
  ],
  [
    'a limit changed',
    'name has at most 10 characters',
    set(`${fields} properties name maxLength`, 10),
    post({ name: 'Rex the dog' }),
    201,
    400,
  ],
  [
    'a parameter made required',
    'status in a query',
    set(`${parameters} Status required`, true),
    get('/pets'),
    200,
    400,
  ],
  [
    'a key no longer asked for',
    'listPets',
    set(`${page} security`, []),
    { ...get('/pets'), isAnonymous: true },
    401,
    200,
  ],
]

/** `npm run generate` refuses these, at the place and by the rule that is named. */
export const refused: readonly Refused[] = [
  [
    'a field removed',
    'status of PetFields',
    remove(`${fields} properties status`),
    'no-invalid-schema-examples',
    atKey(`${schemas} NewPet examples 0 status`),
  ],
  [
    'a field made required',
    'status of PetFields',
    set(`${fields} required 2`, 'status'),
    'no-invalid-media-type-examples',
    atKey(`${newPets} minimal value`),
  ],
  [
    'a header removed',
    'Link of listPets',
    remove(`${page} responses 200 headers Link`),
    'service/pagination-declared',
    atValue(`${page} x-paginated-by`),
  ],
  [
    'an example made invalid',
    'a category without a number',
    set(`${one} ${examples} minimal value categoryId`, 'dogs'),
    'no-invalid-media-type-examples',
    atValue(`${one} ${examples} minimal value categoryId`),
  ],
  [
    'a security scheme added and required',
    'partner',
    together(
      set('components securitySchemes partner', partnerScheme),
      set('security 0 partner', []),
    ),
    'rule/security-scheme-name',
    atKey('components securitySchemes partner'),
  ],
]
