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
