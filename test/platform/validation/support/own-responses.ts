import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { respondError } from '../../../../server/contract/handler-response.ts'
import { StoreUnavailable } from '../../../../server/store/errors.ts'
import { type Changes, startFixtureWith, tools } from '../../../helpers/fixture-service.ts'
import { sendBytes } from '../../../helpers/raw.ts'
import type { TestService } from '../../../helpers/service.ts'
import type { UncheckedJson } from '../../../helpers/unchecked-json.ts'

/** An edit of a description, and its name. */
export interface NamedEdit {
  readonly name: string
  readonly edit: NonNullable<Changes['edit']>
}

/** Changes of the schema of a header or of a member of the Error object, most of which narrow it. */
const narrowings: Readonly<Record<string, object>> = {
  'another type': { type: 'array' },
  'a number': { type: 'number' },
  'a text': { type: 'string' },
  'another constant': { const: 'other' },
  'one value': { enum: ['no-store', 'Bearer', 'GET, HEAD, OPTIONS', 1, 429] },
  'at most 12 characters': { maxLength: 12 },
  'at most 40 characters': { maxLength: 40 },
  'at least 60 characters': { minLength: 60 },
  'lower case': { pattern: '^[a-z0-9@/"<>=;, -]*$' },
  'at most 100': { maximum: 100 },
  'at least 2': { minimum: 2 },
  'steps of 7': { multipleOf: 7 },
}

/** Returns the changes of one place at a time of everything that the service itself sends. */
export function editsOf(description: UncheckedJson): NamedEdit[] {
  const { responses, headers: all, schemas } = description.components
  // The only one that a handler adds.
  const { 'X-Total': _, ...headers } = all
  const { Error: error, ErrorDetail: detail, ErrorCode: codes } = schemas
  const places: [name: string, at: (description: UncheckedJson) => UncheckedJson][] = [
    ...Object.keys(headers).map((name): [string, (root: UncheckedJson) => UncheckedJson] => {
      return [`header ${name}`, (root) => root.components.headers[name].schema]
    }),
    ...Object.keys(error.properties).map(
      (name): [string, (root: UncheckedJson) => UncheckedJson] => {
        return [`Error.${name}`, (root) => root.components.schemas.Error.properties[name]]
      },
    ),
    ...Object.keys(detail.properties).map(
      (name): [string, (root: UncheckedJson) => UncheckedJson] => {
        return [
          `ErrorDetail.${name}`,
          (root) => root.components.schemas.ErrorDetail.properties[name],
        ]
      },
    ),
  ]
  const narrowed = places.flatMap(([name, at]) =>
    Object.entries(narrowings).map(([how, schema]) => ({
      name: `${name}: ${how}`,
      edit: (root: UncheckedJson) => Object.assign(at(root), schema),
    })),
  )
  // The handler of a list sends a `Link` with some pages only.
  const { Link: __, ...ofService } = headers
  const required = Object.keys(ofService).map((name) => ({
    name: `header ${name}: required`,
    edit: (root: UncheckedJson) => Object.assign(root.components.headers[name], { required: true }),
  }))
  const ofResponses = Object.keys(responses).flatMap((name) =>
    editsOfResponse(name, responses[name]),
  )
  const operations = Object.entries<UncheckedJson>(description.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => [path, method] as const),
  )
  const statuses = operations.flatMap(([path, method]) =>
    ownStatuses(description.paths[path][method].responses).map((status) => ({
      name: `${method} ${path}: no ${status}`,
      edit: (root: UncheckedJson) =>
        Reflect.deleteProperty(root.paths[path][method].responses, status),
    })),
  )
  const undeclared = Object.keys(description['x-undeclared-operations']).map((status) => ({
    name: `x-undeclared-operations: no ${status}`,
    edit: (root: UncheckedJson) => Reflect.deleteProperty(root['x-undeclared-operations'], status),
  }))
  const ofSuccess = operations.flatMap(([path, method]) => {
    const [status = '', response] =
      Object.entries<UncheckedJson>(description.paths[path][method].responses)[0] ?? []
    const names = Object.keys(response.headers).filter((name) => name !== 'X-Total')
    return names.map((header) => ({
      name: `${method} ${path} ${status}: no ${header}`,
      edit: (root: UncheckedJson) =>
        Reflect.deleteProperty(root.paths[path][method].responses[status].headers, header),
    }))
  })
  const ofCodes = codes.enum.map((code: string) => ({
    name: `ErrorCode: no ${code}`,
    edit: (root: UncheckedJson) => {
      const { ErrorCode } = root.components.schemas
      ErrorCode.enum = ErrorCode.enum.filter((other: string) => other !== code)
    },
  }))
  return [
    ...narrowed,
    ...required,
    ...ofResponses,
    ...statuses,
    ...undeclared,
    ...ofSuccess,
    ...ofCodes,
    ...editsOfSchemas,
  ]
}

/** Returns the statuses of what the service sends in place of a handler; the compiler checks the others. */
function ownStatuses(declared: object): string[] {
  return Object.keys(declared).filter((status) => Number(status) >= 400 && status !== '404')
}

const editsOfSchemas: readonly NamedEdit[] = [
  ofSchema('Error', 'another member is required', ({ required }) => required.push('title')),
  ofSchema('Error', 'details is required', ({ required }) => required.push('details')),
  ofSchema('Error', 'no details', ({ properties }) => {
    delete properties.details
  }),
  ofSchema('Error', 'details renamed', ({ properties }) => {
    properties.errors = properties.details
    delete properties.details
  }),
  ofSchema('Error', 'at most 50 details', ({ properties }) => {
    properties.details.maxItems = 50
  }),
  ofSchema('Error', 'at least 2 details', ({ properties }) => {
    properties.details.minItems = 2
  }),
  ofSchema('ErrorDetail', 'another member is required', ({ required }) => required.push('value')),
  ofSchema('ErrorDetail', 'no path', ({ properties }) => {
    delete properties.path
  }),
]

function ofSchema(name: string, what: string, edit: (schema: UncheckedJson) => void): NamedEdit {
  return { name: `${name}: ${what}`, edit: ({ components }) => edit(components.schemas[name]) }
}

function editsOfResponse(name: string, response: UncheckedJson): NamedEdit[] {
  const change = (what: string, edit: (response: UncheckedJson) => void): NamedEdit => {
    return { name: `${name}: ${what}`, edit: ({ components }) => edit(components.responses[name]) }
  }
  const ofHeaders = Object.keys(response.headers ?? {}).flatMap((header) => [
    change(`no ${header}`, ({ headers }) => Reflect.deleteProperty(headers, header)),
    change(`${header} renamed`, ({ headers }) => {
      headers[`${header}-2`] = headers[header]
      delete headers[header]
    }),
  ])
  // Its body is that of a handler, which the compiler compares with the description.
  if (name === 'NotFound') {
    return ofHeaders
  }
  const more = { required: true, schema: { type: 'string' } }
  const added = change('another header is required', ({ headers }) => {
    headers['X-More'] = more
  })
  if (response.content === undefined) {
    return [...ofHeaders, added]
  }
  // The error schema of the response, of which the second part narrows the Error object.
  const { $ref } = response.content['application/json'].schema
  const schemaName = String($ref).split('/').at(-1) ?? ''
  const narrow = (what: string, edit: (narrowing: UncheckedJson) => void): NamedEdit => {
    const schema = ofSchema(schemaName, what, ({ allOf }) => edit(allOf[1]))
    return { ...schema, name: `${name}: ${what}` }
  }
  return [
    ...ofHeaders,
    added,
    change('no content', (each) => Reflect.deleteProperty(each, 'content')),
    change('another media type', (each) => {
      each.content = { 'application/problem+json': each.content['application/json'] }
    }),
    narrow('another code', ({ properties }) => {
      properties.code = { const: 'not_modified' }
    }),
    narrow('another status', ({ properties }) => {
      properties.status = { const: 418 }
    }),
    narrow('one code', ({ properties }) => {
      const { code } = properties
      properties.code = { const: code.const ?? code.enum[0] }
    }),
    narrow('a short message', ({ properties }) => {
      properties.message = { maxLength: 40 }
    }),
    narrow('no other members', (narrowing) => {
      narrowing.additionalProperties = false
    }),
  ]
}

const drill = '{"kind":"drill","name":"a","power":1}'

/** Sends requests that provoke everything that the service itself sends, and expects the status of each. */
export async function provokeAll(edit?: Changes['edit']): Promise<void> {
  let failure: Error | undefined
  const service = await startFixtureWith({
    ...(edit && { edit }),
    handlers: {
      getTool() {
        if (failure !== undefined) {
          throw failure
        }
        return respondError(404, 'not_found', 'There is no tool 1.')
      },
    },
  })
  const { send } = service
  const json = { 'Content-Type': 'application/json' }
  const manyErrors = JSON.stringify({
    kind: 'drill',
    ...Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`${'a'.repeat(30)}${index}`, 1]),
    ),
  })
  const statuses: (readonly [
    expected: number,
    init?: Parameters<TestService['send']>[1],
    path?: string,
  ])[] = [
    [200],
    ...['a'.repeat(8), '-'.repeat(64), 'Z'.repeat(50), 'no'].map(
      (id) => [200, { headers: { 'X-Request-Id': id } }] as const,
    ),
    [200, {}, '/lending/v2/opening-hours'],
    [200, { key: '' }, '/lending/v2/opening-hours'],
    [201, { json: drill, headers: { 'Idempotency-Key': 'a' } }],
    [201, { json: drill, headers: { 'Idempotency-Key': 'a' } }],
    [422, { json: drill.replace('1', '2'), headers: { 'Idempotency-Key': 'a' } }],
    [400, {}, `${tools}?x=1`],
    [400, { json: '{}' }],
    [400, { json: manyErrors }],
    [400, { json: '{' }],
    [400, { method: 'POST', body: 'no', headers: { ...json, 'Content-Encoding': 'gzip' } }],
    [401, { key: '' }],
    [401, { key: 'no' }],
    [406, { headers: { Accept: 'text/html' } }],
    [413, { json: drill.padEnd(20_001) }],
    [
      413,
      {
        method: 'POST',
        body: gzipSync(drill.padEnd(20_001)),
        headers: { ...json, 'Content-Encoding': 'gzip' },
      },
    ],
    [415, { method: 'POST', body: drill, headers: { 'Content-Type': 'text/plain' } }],
    [415, { method: 'POST', body: drill, headers: { ...json, 'Content-Encoding': 'zstd' } }],
    [404, {}, `${tools}/1`],
    [404, {}, '/lending/v2/nothing'],
    [404, { key: '' }, '/lending/v2/nothing'],
    [401, { key: 'no' }, '/lending/v2/nothing'],
    [405, { method: 'DELETE' }],
    [405, { method: 'PATCH' }, '/lending/v2/opening-hours'],
    [204, { method: 'OPTIONS' }],
    [204, { method: 'OPTIONS' }, `${tools}/1`],
    [200, {}, `${tools}/1/manual`],
    [400, {}, `${tools}/1/manual?x=1`],
    [401, { key: '' }, `${tools}/1/manual`],
    [204, { method: 'DELETE' }, `${tools}/1`],
  ]
  const reached = async (
    expected: number,
    init?: Parameters<TestService['send']>[1],
    path = tools,
  ) => {
    const response = await send(path, init)
    const text = await response.text()
    expect(response.status, `${init?.method ?? ''} ${path} ${JSON.stringify(init)} ${text}`).toBe(
      expected,
    )
  }
  for (const [expected, init, path] of statuses) {
    await reached(expected, init, path)
  }
  failure = new StoreUnavailable('It is down.')
  await reached(503, {}, `${tools}/1`)
  failure = new Error('It fails.')
  await reached(500, {}, `${tools}/1`)
  const { key } = await service.issue({ perMinute: 1, perDay: 100_000 })
  await reached(200, { key })
  for (let count = 0; count < 12; count++) {
    await reached(429, { key })
  }
  const { text } = await sendBytes(service.origin, `GET ${tools} HTTP/1.1\r\n\r\n`)
  expect(text).toContain('400 Bad Request')
}
