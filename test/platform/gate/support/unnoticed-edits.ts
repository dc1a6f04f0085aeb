import { type Document, isSeq } from 'yaml'
import { inlineParameter } from '../../pipeline/support/kept-promises.ts'
import { type Edit, rename, set } from '../../pipeline/support/spec-edit.ts'
import type { Row } from './row.ts'

const list = 'paths /tools get'
const fetch = 'paths /tools/{toolId}/manual get'

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
    'components.schemas.ToolFields',
    '`status` of `ToolFields` was removed',
  ],
  [
    'a description is reworded',
    set(`${fetch} description`, 'One manual.'),
    'GET /tools/{toolId}/manual',
    'The description of GET /tools/{toolId}/manual was reworded',
  ],
  [
    'an example is another',
    set('components parameters Limit example', 50),
    'components.parameters.Limit',
    'An example of the query parameter `limit` was changed',
  ],
  [
    'a component has another name',
    renameSchema('ToolFields', 'LendableFields'),
    'components.schemas.LendableFields',
    '`ToolFields` is now named `LendableFields`',
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
    set(`${fetch} x-replaced-by operationId`, 'createTool'),
    'GET /tools/{toolId}/manual',
    'What replaces GET /tools/{toolId}/manual was changed',
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
    set('components schemas Status enum', ['sold', 'available', 'pending']),
  ],
  [
    'required members are in another order',
    set('components schemas Loan required', ['due', 'number', 'member']),
  ],
  ['parameters are in another order', turnParameters],
  ['what was shared is written out', writeOut],
  ['a shared parameter is inlined', inlineParameter('Limit', `${list} parameters 0`)],
  [
    'a shared path parameter is inlined',
    inlineParameter('LoanNumber', 'paths /members/{member}/loans/{number}.json get parameters 1'),
  ],
  [
    'a schema is wrapped in a list of one part',
    set('components schemas Tools items', { allOf: [refer('schemas', 'Tool')] }),
  ],
  ['each operation says who may call', sayWho],
  ['a parameter is one of its path', moveParameter],
  ['a constant is a list of one value', listConstant],
  ['the version alone is another', set('info version', '1.0.1')],
]

function renameSchema(from: string, to: string): Edit {
  return (description) => {
    rename(`components schemas ${from}`, to)(description)
    for (const leaf of ['NewDrill allOf 0', 'NewSaw allOf 0', 'Drill allOf 1', 'Saw allOf 1']) {
      set(`components schemas ${leaf} $ref`, `#/components/schemas/${to}`)(description)
    }
  }
}

function turnParameters(description: Document): void {
  const parameters = description.getIn([...list.split(' '), 'parameters'])
  if (isSeq(parameters)) parameters.items.reverse()
}

function writeOut(description: Document): void {
  const status = description.getIn(['components', 'schemas', 'Status'])
  description.setIn(['components', 'parameters', 'Status', 'schema'], status)
}

function refer(kind: string, name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}

function moveMember(description: Document): void {
  const leaves = ['components', 'schemas']
  for (const leaf of ['NewDrill', 'NewSaw', 'Drill', 'Saw']) {
    const part = { properties: { status: refer('schemas', 'Status') } }
    description.addIn([...leaves, leaf, 'allOf'], part)
  }
  description.deleteIn([...leaves, 'ToolFields', 'properties', 'status'])
}

function sayWho(description: Document): void {
  description.deleteIn(['security'])
  const resources = ['/tools get', '/tools post', '/members/{member}/loans/{number}.json get']
  const methods = ['get', 'put', 'patch', 'delete', 'manual get']
  const tools = methods.map((each) => `/tools/{toolId} ${each}`.replace(' manual', '/manual'))
  for (const operation of [...resources, ...tools]) {
    description.setIn(['paths', ...operation.split(' '), 'security'], [{ apiKey: [] }])
  }
}

function listConstant(description: Document): void {
  const schema = ['components', 'headers', 'Idempotent-Replayed', 'schema']
  description.deleteIn([...schema, 'const'])
  description.setIn([...schema, 'enum'], [true])
}

function moveParameter(description: Document): void {
  const path = ['paths', '/tools/{toolId}/manual']
  description.setIn([...path, 'parameters'], [refer('parameters', 'ToolId')])
  description.deleteIn([...path, 'get', 'parameters'])
}
