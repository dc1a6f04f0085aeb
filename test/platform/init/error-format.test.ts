import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseErrors } from '../../../scripts/init/error-format.ts'
import { type DescribedErrors, writeErrorSpec } from '../errors/support/error-api.ts'

const text = { type: 'string' }

/** Returns how a project would send errors whose schema is that of a component `Failure`. */
async function choose(
  schema: object,
  mediaType = 'application/json',
  others: DescribedErrors = {},
) {
  const content = { [mediaType]: { schema: { $ref: '#/components/schemas/Failure' } } }
  const responses = { default: { description: 'An error.', content } }
  const spec = await writeErrorSpec({
    responses,
    components: { schemas: { Failure: schema } },
    ...others,
  })
  return chooseErrors(spec)
}

test('errors that are not declared are Error objects', async () => {
  const { settings, code } = await choose({}, 'application/json', { responses: {} })
  expect(settings).toBeUndefined()
  expect(code).toContain('export { errorObject as errorFormat }')
})

test('a schema that a format of the platform fits has that one', async () => {
  const problem = {
    type: 'object',
    required: ['title', 'status'],
    properties: { type: text, title: text, status: { type: 'integer' }, detail: text },
  }
  const ofProblem = await choose(problem, 'application/problem+json')
  expect(ofProblem.code).toContain('export { problemDetails as errorFormat }')
  expect(ofProblem.settings).toEqual({
    mediaType: 'application/problem+json',
    schema: '#/components/schemas/Failure',
  })
  const { code } = await choose({
    type: 'object',
    required: ['code', 'message'],
    properties: { code: text, message: text },
  })
  expect(code).toContain('export { errorObject as errorFormat }')
})

test('a schema like that of the platform, with codes of its own, has a mapping', async () => {
  const { code } = await choose({
    type: 'object',
    properties: {
      code: { enum: ['not_found', 'bad_request', 'internal_server_error'] },
      message: text,
    },
  })
  expect(code).toContain('["invalid_request", "bad_request"]')
  expect(code).toContain('["not_implemented", "internal_server_error"]')
})

test('a schema that others narrow to their status is the one of all errors', async () => {
  const Failure = {
    type: 'object',
    required: ['status', 'reason'],
    properties: { status: { type: 'integer' }, reason: text },
  }
  const narrow = (status: number) => {
    const narrowing = { properties: { status: { enum: [status] } } }
    const schema = { allOf: [{ $ref: '#/components/schemas/Failure' }, narrowing] }
    return { description: 'An error.', content: { 'application/json': { schema } } }
  }
  const responses = { 401: narrow(401), 404: narrow(404) }
  const { settings, code } = await choose(Failure, 'application/json', { responses })
  expect(settings?.schema).toBe('#/components/schemas/Failure')
  expect(code).toContain('({ status, message }) => ({ status, "reason": message })')
})

test('another schema has a mapping in code, with a table for codes of its own', async () => {
  const { code, settings } = await choose({
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: ['NOT_FOUND', 'INVALID', 'INTERNAL'] },
          message: text,
          trace_id: text,
          fields: { type: 'array', items: text },
          errors: {
            type: 'array',
            items: { type: 'object', properties: { field: text, reason: text } },
          },
        },
      },
    },
  })
  expect(settings?.schema).toBe('#/components/schemas/Failure')
  const lines = [
    'ErrorFormat<Schema<"Failure">>',
    '["not_found", "NOT_FOUND"]',
    '["unavailable", "INTERNAL"]',
    '"code": codes.get(code) ?? "INTERNAL"',
    '"trace_id": requestId',
    '...(details.length === 0 ? {} : { "errors": details.map(({ path, message: text }) => ({ "field": path, "reason": text })) })',
  ]
  for (const line of lines) {
    expect(code).toContain(line)
  }
  expect(code).not.toContain('fields')
})

test('a list with an item for the error itself is mapped with and without details', async () => {
  const item = {
    type: 'object',
    required: ['status', 'title'],
    properties: {
      status: text,
      title: text,
      detail: text,
      source: { type: 'object', properties: { pointer: text } },
    },
  }
  const { code } = await choose(
    {
      type: 'object',
      required: ['errors'],
      properties: { errors: { type: 'array', minItems: 1, items: item } },
    },
    'application/vnd.api+json',
  )
  expect(code).toContain(
    '"errors": details.length === 0 ? [{ "status": String(status), "title": reasonOf(status), "detail": message }] : details.map((',
  )
  expect(code).toContain('"source": { "pointer": path }')
})

test('a schema without a name has the type of the first response with it, and the place of that', async () => {
  const schema = {
    type: 'object',
    required: ['error'],
    additionalProperties: false,
    properties: { error: { type: 'object', required: ['reason'], properties: { reason: text } } },
  }
  const content = { 'application/json': { schema } }
  const responses = { 404: { description: 'An error.', content } }
  const inline = chooseErrors(await writeErrorSpec({ responses }))
  expect(inline.code).toContain('ErrorFormat<ResponseBody<"addRoom", 404>>')
  expect(inline.settings).toEqual({
    mediaType: 'application/json',
    schema: '#/paths/~1rooms/post/responses/404/content/application~1json/schema',
  })
  expect(inline.note).toBeUndefined()

  const shared = chooseErrors(
    await writeErrorSpec({
      responses: { default: { $ref: '#/components/responses/Failed' } },
      components: { responses: { Failed: { description: 'An error.', content } } },
    }),
    new Map([['POST /rooms', 'createRoom']]),
  )
  expect(shared.code).toContain('ErrorFormat<ResponseBody<"createRoom", "default">>')
  expect(shared.settings?.schema).toBe(
    '#/components/responses/Failed/content/application~1json/schema',
  )
})

test('a schema without a name in another file is not that of added errors, which init says', async () => {
  const schema = { type: 'object', required: ['reason'], properties: { reason: text } }
  const response = { description: 'An error.', content: { 'application/json': { schema } } }
  const spec = await writeErrorSpec({ responses: { 404: { $ref: 'failed.json' } } })
  await writeFile(join(dirname(spec), 'failed.json'), JSON.stringify(response))
  const { settings, note, code } = chooseErrors(spec)
  expect(settings).toBeUndefined()
  expect(note).toMatch(
    /^spec\/service\.yaml: .* 404 of POST \/rooms, has no name .*errors\.schema$/,
  )
  expect(code).toContain('ErrorFormat<ResponseBody<"addRoom", 404>>')
})

test('a mapping takes the variables that it reads, whatever the names of members are', async () => {
  const { code } = await choose({
    type: 'object',
    required: ['code', 'requestId'],
    properties: { code: { type: 'integer' }, message: text, requestId: { enum: ['status'] } },
  })
  expect(code).toContain(
    'toBody: ({ status, message }) => ({ "code": status, message, "requestId": "status" })',
  )

  const item = { type: 'object', properties: { path: { type: 'integer' }, message: text } }
  const listed = await choose({
    type: 'object',
    required: ['errors'],
    properties: { errors: { type: 'array', items: item } },
  })
  expect(listed.code).toContain('details.map(({ message: text }) => ({ "message": text }))')
})
