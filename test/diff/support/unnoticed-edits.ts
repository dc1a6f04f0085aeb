import type { Document } from 'yaml'
import { type Edit, rename, set } from '../../pipeline/support/spec-edit.ts'
import type { Row } from './row.ts'

const fields = 'components schemas PetFields'
const list = 'paths /pets get'
const fetch = 'paths /pets/{petId} get'

/** Edits that no program notices. */
export const patchEdits: readonly Row[] = [
  [
    'the format of a token is hinted at',
    set('components securitySchemes apiKey bearerFormat', 'opaque'),
    'components.securitySchemes.apiKey',
    '`bearerFormat` of `apiKey` was changed',
  ],
  [
    'a member stands in the leaves in place of the base',
    moveMember,
    'components.schemas.PetFields',
    '`status` of `PetFields` was removed',
  ],
  [
    'a description is reworded',
    set(`${fetch} description`, 'One animal.'),
    'GET /pets/{petId}',
    'The description of GET /pets/{petId} was reworded',
  ],
  [
    'an example is another',
    set('components parameters Limit example', 50),
    'components.parameters.Limit',
    'An example of the query parameter `limit` was changed',
  ],
  [
    'a component has another name',
    renameSchema('PetFields', 'AnimalFields'),
    'components.schemas.AnimalFields',
    '`PetFields` is now named `AnimalFields`',
  ],
  [
    'a named example has another value',
    set(
      'components responses NotFound content application/json examples notFound value message',
      'Gone.',
    ),
    'components.responses.NotFound',
    'An example of `NotFound` was modified',
  ],
  [
    'another operation replaces a deprecated one',
    set(`${fetch} x-replaced-by operationId`, 'createPet'),
    'GET /pets/{petId}',
    'What replaces GET /pets/{petId} was changed',
  ],
  [
    'a component that nothing uses is added',
    set('components schemas Spare', { type: 'string' }),
    'components.schemas.Spare',
    '`Spare` was added',
  ],
]

/** Edits of the text that leave the contract what it was. */
export const emptyEdits: readonly (readonly [done: string, edit: Edit])[] = [
  [
    'the values of an enum are in another order',
    set('components schemas PetStatus enum', ['sold', 'available', 'pending']),
  ],
  ['required members are in another order', set(`${fields} required`, ['categoryId', 'name'])],
  ['parameters are in another order', turnParameters],
  ['what was shared is written out', writeOut],
  [
    'a schema is wrapped in a list of one part',
    set('components schemas Pets items', { allOf: [refer('schemas', 'Pet')] }),
  ],
  ['each operation says who may call', sayWho],
  ['a parameter is one of its path', moveParameter],
  ['a constant is a list of one value', listConstant],
  ['the version alone is another', set('info version', '1.0.1')],
]

function renameSchema(from: string, to: string): Edit {
  return (description) => {
    rename(`components schemas ${from}`, to)(description)
    for (const leaf of ['NewPet', 'Pet']) {
      set(`components schemas ${leaf} allOf 0 $ref`, `#/components/schemas/${to}`)(description)
    }
  }
}

function turnParameters(description: Document): void {
  const path = [...list.split(' '), 'parameters']
  const names = ['Cursor', 'Status', 'Limit']
  description.setIn(
    path,
    names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  )
}

function writeOut(description: Document): void {
  const status = description.getIn(['components', 'schemas', 'PetStatus'])
  description.setIn(['components', 'parameters', 'Status', 'schema'], status)
}

function refer(kind: string, name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}

function moveMember(description: Document): void {
  const leaves = ['components', 'schemas']
  for (const leaf of ['NewPet', 'Pet']) {
    const part = { properties: { status: refer('schemas', 'PetStatus') } }
    description.addIn([...leaves, leaf, 'allOf'], part)
  }
  description.deleteIn([...leaves, 'PetFields', 'properties', 'status'])
}

function sayWho(description: Document): void {
  description.deleteIn(['security'])
  for (const operation of [list, 'paths /pets post', fetch]) {
    description.setIn([...operation.split(' '), 'security'], [{ apiKey: [] }])
  }
}

function listConstant(description: Document): void {
  const schema = ['components', 'headers', 'Idempotent-Replayed', 'schema']
  description.deleteIn([...schema, 'const'])
  description.setIn([...schema, 'enum'], [true])
}

function moveParameter(description: Document): void {
  const path = ['paths', '/pets/{petId}']
  description.setIn([...path, 'parameters'], [refer('parameters', 'PetId')])
  description.deleteIn([...path, 'get', 'parameters'])
}
