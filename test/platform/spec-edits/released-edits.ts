import { type Document, isSeq } from 'yaml'
import { inlineParameter } from '../pipeline/support/kept-promises.ts'
import {
  append,
  drop,
  type Edit,
  remove,
  rename,
  set,
  together,
} from '../pipeline/support/spec-edit.ts'

/** Edits by the place that is reported, each with what is reported of it. */
type Edits = Readonly<Record<string, readonly (readonly [edit: Edit, what: string])[]>>

const list = 'paths /tools get'
const create = 'paths /tools post'
const created = `${create} responses`
const manual = 'paths /tools/{toolId}/manual get'
const loan = 'paths /members/{member}/loans/{number}.json'
const schemas = 'components schemas'
const parameters = 'components parameters'
const key = 'components securitySchemes apiKey'
const headers = 'components headers'
const fields = `${schemas} ToolFields`
const name = `${fields} properties name`
const limit = `${parameters} Limit schema`
const page = `${list} responses 200`
const json = 'content application/json'
const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Returns a parameter that the description does not have. */
export function parameter(required: boolean) {
  const owner = { name: 'owner', in: 'query', required, description: 'Whose tools.' }
  return { ...owner, schema: { type: 'string' }, example: 'me' }
}

/** Edits that break consumers; those of one description do not disturb each other. */
export const major: readonly Edits[] = [
  {
    'components.schemas.Status': [
      [drop(`${schemas} Status enum`, 'sold'), '`Status` no longer allows `sold`'],
    ],
    'components.schemas.ToolFields': [
      [set(`${name} maxLength`, 500), '`maxLength` of `name` of `ToolFields` is now `500`'],
      [set(`${name} pattern`, '^[A-Z][a-z]*$'), '`pattern` of `name`'],
      [append(`${fields} required`, 'status'), '`ToolFields` now requires `status`'],
    ],
    'components.schemas.Id': [
      [set(`${schemas} Id format`, 'int32'), '`format` of `Id` is now `int32`'],
    ],
    'components.parameters.Limit': [
      [set(`${limit} maximum`, 20), '`maximum` of the query parameter `limit` is now `20`'],
      [set(`${limit} minimum`, 2), '`minimum` of the query parameter `limit` is now `2`'],
      [set(`${limit} default`, 15), 'The default of the query parameter `limit` is now `15`'],
    ],
    'components.parameters.Status': [
      [
        set(`${parameters} Status schema default`, 'available'),
        'The default of the query parameter `status` is now `available`',
      ],
      [
        set(`${parameters} Status style`, 'pipeDelimited'),
        '`style` of the query parameter `status`',
      ],
    ],
    'components.parameters.IdempotencyKey': [
      [
        set(`${parameters} IdempotencyKey required`, true),
        'The header parameter `Idempotency-Key` is now required',
      ],
    ],
    'components.parameters.LoanNumber': [
      [
        together(
          rename(loan, '/members/{member}/loans/{id}.json'),
          set(`${parameters} LoanNumber name`, 'id'),
        ),
        'The path parameter `number` is now named `id`',
      ],
    ],
    'GET /tools': [
      [remove(`${page} headers Link`), 'The header `Link` of the answer 200 was removed'],
      [
        append(`${list} parameters`, parameter(true)),
        'The query parameter `owner` is new and required',
      ],
    ],
    'POST /tools': [
      [remove(`${created} 422`), 'The answer 422 was removed'],
      [set(`${created} 202`, refer('responses', 'Options')), 'The answer 202 is new'],
      [
        set(`${create} requestBody x-max-bytes`, 5000),
        'The largest size of the body, in bytes, is now `5000`',
      ],
    ],
    'GET /tools/{toolId}': [
      [
        together(
          set('paths /tools/{toolId} get operationId', 'fetchTool'),
          set(`${manual} x-replaced-by operationId`, 'fetchTool'),
        ),
        'The operationId of GET /tools/{toolId} is now `fetchTool`',
      ],
    ],
    'GET /tools/{toolId}/manual': [
      [
        set(`${manual} x-sunset`, '2028-12-05'),
        'The sunset of GET /tools/{toolId}/manual is now `2028-12-05`; it was `2030-12-05`',
      ],
      [
        set(`${manual} operationId`, 'fetchManual'),
        'The operationId of GET /tools/{toolId}/manual is now `fetchManual`',
      ],
    ],
    'components.headers.Retry-After': [
      [remove(`${headers} Retry-After required`), 'The header `Retry-After` may now be missing'],
    ],
    servers: [[set('servers 1 url', '/v2'), 'Server `/lending/v2` became `/v2`']],
    'components.securitySchemes.apiKey': [
      [set(`${key} scheme`, 'basic'), '`scheme` of security scheme `apiKey` changed'],
    ],
    'outside operations': [[remove('x-outside-operations 405'), 'The answer 405 was removed']],
  },
  {
    'components.schemas.Status': [
      [append(`${schemas} Status enum`, 'lost'), '`Status` now also allows `lost`'],
    ],
    'components.schemas.ToolFields': [
      [set(`${name} maxLength`, 2000), '`maxLength` of `name` of `ToolFields` is now `2000`'],
      [remove(`${fields} properties status`), '`status` of `ToolFields` was removed'],
      [drop(`${fields} required`, 'name'), '`ToolFields` no longer requires `name`'],
    ],
    'components.parameters.Status': [
      [
        set(`${parameters} Status name`, 'state'),
        'The query parameter `status` is now named `state`',
      ],
    ],
    'POST /tools': [
      [
        rename(`${create} requestBody ${json}`, 'application/cbor'),
        'The media type application/json for the body was removed',
      ],
    ],
  },
  {
    'components.schemas.ToolFields': [
      [set(`${name} type`, 'integer'), '`type` of `name` of `ToolFields` is now `integer`'],
      [rename(`${fields} properties status`, 'state'), '`status` of `ToolFields` was removed'],
    ],
    'GET /tools': [[remove(`${list} parameters 8`), 'The query parameter `status` was removed']],
  },
]

const credentialsDropped = 'Credentials of `apiKey` are no longer asked for'

/** Edits that give consumers more, and break none. */
export const minor: readonly Edits[] = [
  {
    'DELETE /tools/{toolId}/manual': [
      [
        set('paths /tools/{toolId}/manual delete', {
          operationId: 'deleteManual',
          parameters: [refer('parameters', 'ToolId')],
          responses: { 204: { description: 'The manual is deleted.' } },
        }),
        'DELETE /tools/{toolId}/manual is new, `deleteManual`',
      ],
    ],
    'GET /tools': [
      [
        append(`${list} parameters`, parameter(false)),
        'The query parameter `owner` is new and optional',
      ],
      [set(`${list} responses 404`, refer('responses', 'NotFound')), 'The answer 404 is new'],
      [
        set(`${page} headers X-Count`, { schema: { type: 'integer' } }),
        'The header `X-Count` of the answer 200 is new',
      ],
      [set(`${list} security`, []), credentialsDropped],
    ],
    'POST /tools': [
      [
        set(`${create} requestBody x-max-bytes`, 200_000),
        'The largest size of the body, in bytes, is now `200000`',
      ],
      [set(`${create} deprecated`, true), 'POST /tools is deprecated'],
    ],
    'GET /tools/{toolId}/manual': [
      [
        set(`${manual} x-sunset`, '2031-12-05'),
        'The sunset of GET /tools/{toolId}/manual is now `2031-12-05`',
      ],
    ],
    'components.schemas.ToolFields': [
      [
        set(`${fields} properties nickname`, { type: 'string' }),
        '`nickname` of `ToolFields` is new',
      ],
    ],
    'components.schemas.ErrorCode': [
      [append(`${schemas} ErrorCode enum`, 'gone'), '`ErrorCode` now also allows `gone`'],
    ],
    'components.schemas.Error': [
      [
        set(`${schemas} Error properties details maxItems`, 200),
        '`maxItems` of `details` of `Error` is now `200`',
      ],
    ],
    'components.parameters.Limit': [
      [set(`${limit} maximum`, 200), '`maximum` of the query parameter `limit` is now `200`'],
    ],
    'components.headers.X-RateLimit-Limit': [
      [
        set(`${headers} X-RateLimit-Limit schema minimum`, 1),
        '`minimum` of the header `X-RateLimit-Limit` is now `1`',
      ],
    ],
  },
  { security: [[set('security', []), credentialsDropped]] },
  { security: [[remove('security'), credentialsDropped]] },
  {
    security: [
      [set('security', [{ apiKey: [] }, {}]), 'Calls without credentials are now let in as well'],
    ],
  },
]

/** Edits that no program notices. */
export const patch: readonly Edits[] = [
  {
    'components.securitySchemes.apiKey': [
      [set(`${key} bearerFormat`, 'opaque'), '`bearerFormat` of `apiKey` was changed'],
    ],
    'GET /tools/{toolId}/manual': [
      [
        set(`${manual} description`, 'One manual.'),
        'The description of GET /tools/{toolId}/manual was reworded',
      ],
      [
        set(`${manual} x-replaced-by operationId`, 'createTool'),
        'What replaces GET /tools/{toolId}/manual was changed',
      ],
    ],
    'components.parameters.Limit': [
      [
        set(`${parameters} Limit example`, 50),
        'An example of the query parameter `limit` was changed',
      ],
    ],
    'components.responses.NotFound': [
      [
        set(`components responses NotFound ${json} examples notFound value message`, 'Gone.'),
        'An example of `NotFound` was modified',
      ],
    ],
    'components.schemas.Spare': [
      [set(`${schemas} Spare`, { type: 'string' }), '`Spare` was added'],
    ],
    'components.schemas.ToolFields': [[moveMember, '`status` of `ToolFields` was removed']],
  },
  {
    'components.schemas.LendableFields': [
      [renameFields, '`ToolFields` is now named `LendableFields`'],
    ],
  },
]

/** Edits of the text that leave the contract unchanged, in one description. */
export const unchanged: Readonly<Record<string, Edit>> = {
  'the values of an enum are in another order': set(`${schemas} Status enum`, [
    ...['sold', 'available', 'pending'],
  ]),
  'required fields are in another order': set(`${schemas} Loan required`, [
    ...['due', 'number', 'member'],
  ]),
  'a shared schema is written out': (description) => {
    const status = description.getIn(`${schemas} Status`.split(' '))
    set(`${parameters} Status schema`, status)(description)
  },
  'a shared parameter is inlined': inlineParameter('Limit', `${list} parameters 0`),
  'a shared path parameter is inlined': inlineParameter('LoanNumber', `${loan} get parameters 1`),
  'parameters are in another order': (description) => {
    const all = description.getIn([...list.split(' '), 'parameters'])
    if (isSeq(all)) all.items.reverse()
  },
  'a schema is wrapped in a list of one part': set(`${schemas} Tools items`, {
    allOf: [refer('schemas', 'Tool')],
  }),
  'each operation names the credentials that the whole API did': nameCredentials,
  'a parameter of an operation is one of its path': together(
    set('paths /tools/{toolId}/manual parameters', [refer('parameters', 'ToolId')]),
    remove(`${manual} parameters`),
  ),
  'a constant is a list of one value': together(
    remove(`${headers} Idempotent-Replayed schema const`),
    set(`${headers} Idempotent-Replayed schema enum`, [true]),
  ),
  'the version is another': set('info version', '1.0.1'),
}

function nameCredentials(description: Document): void {
  remove('security')(description)
  const tools = ['get', 'put', 'patch', 'delete'].map((method) => `paths /tools/{toolId} ${method}`)
  for (const operation of [list, create, manual, `${loan} get`, ...tools]) {
    set(`${operation} security`, [{ apiKey: [] }])(description)
  }
}

function renameFields(description: Document): void {
  rename(fields, 'LendableFields')(description)
  for (const leaf of ['NewDrill allOf 0', 'NewSaw allOf 0', 'Drill allOf 1', 'Saw allOf 1']) {
    set(`${schemas} ${leaf} $ref`, '#/components/schemas/LendableFields')(description)
  }
}

/** Moves a field from a shared schema to those that use it. */
function moveMember(description: Document): void {
  for (const leaf of ['NewDrill', 'NewSaw', 'Drill', 'Saw']) {
    const part = { properties: { status: refer('schemas', 'Status') } }
    append(`${schemas} ${leaf} allOf`, part)(description)
  }
  remove(`${fields} properties status`)(description)
}
