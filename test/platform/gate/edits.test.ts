import { expect, test } from 'vitest'
import { type Document, isSeq, visit } from 'yaml'
import { callOnce } from '../../helpers/call-once.ts'
import {
  append,
  drop,
  type Edit,
  inlineParameter,
  remove,
  rename,
  set,
  together,
} from '../../helpers/spec-edit.ts'
import { judge, parameter } from './support/gate.ts'

/** A value to set, or a function that returns the edit of a path. */
type Change = string | number | boolean | object | ((path: string) => Edit)

/** Where and how the description is edited, and what is reported of it. */
type Row = readonly [path: string, change: Change, what: string]

const list = 'paths /tools get'
const create = 'paths /tools post'
const tool = 'paths /tools/{toolId} get'
const manual = 'paths /tools/{toolId}/manual get'
const loan = 'paths /members/{member}/loans/{number}.json'
const schemas = 'components schemas'
const parameters = 'components parameters'
const headers = 'components headers'
const fields = `${schemas} ToolFields`
const name = `${fields} properties name`
const changes = `${schemas} ToolChanges`
const forms = `${schemas} Tool discriminator`
const limit = `${parameters} Limit`
const status = `${parameters} Status`
const notFound = 'components responses NotFound'
const json = 'content application/json'
const withEntry = (value: unknown) => (path: string) => append(path, value)
const without = (value: string) => (path: string) => drop(path, value)
const renamed = (name: string) => (path: string) => rename(path, name)
const renameGet = (path: string) =>
  together(set(path, 'fetchTool'), set(`${manual} x-replaced-by operationId`, 'fetchTool'))
const renameLoanNumber = (path: string) =>
  together(rename(loan, '/members/{member}/loans/{id}.json'), set(path, 'id'))
const inlineLimit = () => inlineParameter('Limit', `${list} parameters 0`)
const exclusive = { type: 'integer', minimum: 1, exclusiveMaximum: 50, default: 10 }
const limited = (name: string) => ({ $ref: `#/components/schemas/${name}`, maxLength: 5 })
const short = { maxLength: 3 }
const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Edits that break consumers; those of one description do not disturb each other. */
const major: readonly (readonly Row[])[] = [
  [
    [`${fields} required`, withEntry('status'), '`ToolFields` now requires `status`'],
    [`${limit} schema maximum`, 20, '`maximum` of the query parameter `limit` is now `20`'],
    [`${limit} schema default`, 15, '`default` of the query parameter `limit` is now `15`'],
    [`${parameters} LoanNumber name`, renameLoanNumber, '`number` is now named `id`'],
    [`${create} responses 202`, refer('responses', 'Options'), 'The response 202 is new'],
    [`${create} requestBody x-max-bytes`, 5000, '`x-max-bytes` of the body is now `5000`'],
    [`${tool} operationId`, renameGet, '`operationId` of GET /tools/{toolId} is now `fetchTool`'],
    [`${manual} x-sunset`, '2028-12-05', 'is now `2028-12-05`; it was `2030-12-05`'],
  ],
  [
    [`${fields} required`, without('name'), '`ToolFields` no longer requires `name`'],
    [`${name} type`, 'integer', '`type` of `name` of `ToolFields` is now `integer`'],
    [`${schemas} Status enum`, withEntry('lost'), '`Status` now also allows `lost`'],
  ],
  // Those that Redocly's own rules do not see.
  [
    [`${limit} schema`, exclusive, '`maximum` of the query parameter `limit` is now `49`'],
    [`${status} schema`, limited('Status'), 'no longer allows `available`, `pending`'],
    [`${name} writeOnly`, true, '`name` of `ToolFields` is now writeOnly'],
    [`${fields} patternProperties`, { '^n': short }, '`^n` of `ToolFields` is now allowed'],
    [`${changes} properties note readOnly`, true, '`note` of `ToolChanges` is now readOnly'],
    [`${parameters} Cursor schema`, remove, '`schema` of the query parameter `cursor`'],
    [`${list} x-paginated-by`, remove, '`x-paginated-by` of GET /tools is no longer stated'],
    ['paths /opening-hours get security', remove, '`apiKey` is now required'],
    ['servers 0 variables host default', 'other.example', '`default` of servers is now'],
  ],
  [
    [`${changes} properties name not`, short, '`not` of `name` of `ToolChanges` is new'],
    [create, renamed('patch'), 'POST /tools, `createTool`, was removed'],
    [`${forms} propertyName`, 'name', '`propertyName` of `Tool` is now `name`'],
    [
      `${schemas} NewTool discriminator mapping saw`,
      remove,
      '`saw` of the discriminator of `NewTool` was removed',
    ],
  ],
  // Types that the client exports.
  [
    [
      `${schemas} LendableFields`,
      renameFields,
      '`ToolFields` is now `components.schemas.LendableFields`',
    ],
    [`${schemas} Status`, inlineStatus, '`Status` is no longer a component; it is written where'],
  ],
]

/** Edits that give consumers more, and break none. */
const minor: readonly (readonly Row[])[] = [
  [
    [`${create} requestBody x-max-bytes`, 200_000, '`x-max-bytes` of the body is now `200000`'],
    [`${list} parameters`, withEntry(parameter(false)), 'The query parameter `owner` is new'],
    [manual, takeBackDeprecation, 'GET /tools/{toolId}/manual is no longer deprecated'],
  ],
  [['security', remove, '`apiKey` is no longer required']],
  [['security', [{ apiKey: [] }, {}], 'No credentials are now accepted']],
]

/** Edits that no program notices. */
const patch: readonly (readonly Row[])[] = [
  [
    [`${manual} description`, 'One manual.', 'The description of GET'],
    [`${notFound} ${json} examples notFound value message`, 'Gone.', 'An example of `NotFound`'],
    [limit, inlineLimit, '`Limit` is no longer a component; it is written where it is used.'],
    [`${parameters} Crate`, renameShelf, '`Shelf` is now `components.parameters.Crate`.'],
    [`${parameters} Unused`, { ...parameter(false), name: 'a' }, 'The component `Unused` is new.'],
  ],
  [
    [
      'components responses Missing',
      renameNotFound,
      '`NotFound` is now `components.responses.Missing`.',
    ],
  ],
]

function toPlace(path: string): string {
  const [first = '', second, third = ''] = path.split(' ')
  if (first === 'paths') {
    return `${third.toUpperCase()} ${second}`
  }
  return first === 'components' ? `${first}.${second}.${third}` : first
}

/** Edits of the text that leave the contract unchanged, in one description. */
const unchanged: Readonly<Record<string, Edit>> = {
  'the values of an enum are in another order': reverse(`${schemas} Status enum`),
  'a shared schema is written out': writeOut(`${status} schema`),
  'parameters are in another order': reverse(`${list} parameters`),
  'a schema is wrapped in a list of one part': set(`${schemas} Tools items`, {
    allOf: [refer('schemas', 'Tool')],
  }),
  'each operation names the credentials that the whole API did': nameCredentials,
  'a parameter of an operation is one of its path': together(
    set('paths /tools/{toolId}/manual parameters', [refer('parameters', 'ToolId')]),
    remove(`${manual} parameters`),
  ),
  'a constant is a list of one value': together(
    remove(`${headers} Idempotent-Replayed schema enum`),
    set(`${headers} Idempotent-Replayed schema const`, true),
  ),
  'defaults are written out': together(
    set(`${limit} style`, 'form'),
    set(`${limit} explode`, true),
    set(`${limit} required`, false),
    set(`${schemas} Tools minItems`, 0),
    set(`${schemas} Tools additionalProperties`, {}),
  ),
  'the version is another': set('info version', '1.0.1'),
}

function renameShelf(): Edit {
  return renameComponent('parameters', 'Shelf', 'Crate')
}

function renameNotFound(): Edit {
  return renameComponent('responses', 'NotFound', 'Missing')
}

/** Renames a component, and the references to it. */
function renameComponent(section: string, from: string, to: string): Edit {
  return (description) => {
    rename(`components ${section} ${from}`, to)(description)
    visit(description, {
      Scalar(_, node) {
        if (node.value === refer(section, from).$ref) {
          node.value = refer(section, to).$ref
        }
      },
    })
  }
}

function reverse(path: string): Edit {
  return (description) => {
    const entries = description.getIn(path.split(' '))
    if (isSeq(entries)) {
      entries.items.reverse()
    }
  }
}

function takeBackDeprecation(path: string): Edit {
  const facts = ['deprecated', 'x-deprecated-at', 'x-sunset', 'x-replaced-by']
  const sent = ['Deprecation', 'Sunset', 'Link'].map((name) => `responses 200 headers ${name}`)
  return together(...[...facts, ...sent].map((below) => remove(`${path} ${below}`)))
}

function nameCredentials(description: Document): void {
  remove('security')(description)
  const tools = ['get', 'put', 'patch', 'delete'].map((method) => `paths /tools/{toolId} ${method}`)
  for (const operation of [list, create, manual, `${loan} get`, ...tools]) {
    set(`${operation} security`, [{ apiKey: [] }])(description)
  }
}

function inlineStatus(path: string): Edit {
  return together(
    ...[`${status} schema`, `${schemas} LendableFields properties status`].map(writeOut),
    remove(path),
  )
}

function writeOut(use: string): Edit {
  return (description) => {
    set(use, description.getIn(`${schemas} Status`.split(' ')))(description)
  }
}

function renameFields(): Edit {
  const leaves = ['NewDrill allOf 0', 'NewSaw allOf 0', 'Drill allOf 1', 'Saw allOf 1']
  const target = '#/components/schemas/LendableFields'
  return together(
    rename(fields, 'LendableFields'),
    ...leaves.map((leaf) => set(`${schemas} ${leaf} $ref`, target)),
  )
}

/** Every edit, with what the gate finds in its description, which is judged once. */
const rows = (
  [
    ['major', '2.0.0', major],
    ['minor', '1.1.0', minor],
    ['patch', '1.0.1', patch],
  ] as const
).flatMap(([bump, needed, descriptions]) =>
  descriptions.flatMap((edits) => {
    const edit = together(
      ...edits.map(([path, change]) =>
        typeof change === 'function' ? change(path) : set(path, change),
      ),
    )
    const found = callOnce(() => judge(edit))
    return edits.map(([path, , what]) => ({ bump, needed, place: toPlace(path), what, found }))
  }),
)

test.for(rows)('$place: $what: $bump', async ({ bump, needed, place, what, found }) => {
  const { diff, errors } = await found()
  expect(diff?.changes).toContainEqual(
    expect.objectContaining({
      bump,
      breaking: bump === 'major',
      place,
      file: expect.stringMatching(/(?:base|openapi)\.yaml$/),
      line: expect.any(Number),
      what: expect.stringContaining(what),
      consequence: expect.stringMatching(/^[A-Z].*\.$/),
    }),
  )
  expect(diff).toMatchObject({ bump, needed })
  expect(errors.join('\n')).toContain(`must be at least ${needed}, because the changes`)
})

test(`no change: ${Object.keys(unchanged).join(', ')}`, async () => {
  const { diff } = await judge(together(...Object.values(unchanged)))
  expect(diff).toMatchObject({ bump: 'none', needed: '1.0.0', changes: [] })
})
