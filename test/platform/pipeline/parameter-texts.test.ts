import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFiles } from '../../helpers/compiled-api.ts'

const integer = { type: 'integer' }
const list = { type: 'array', items: integer }
const text = { type: 'string' }

/** What the schema of a parameter says of its limits, and how the client says it. */
const limits: Readonly<Record<string, readonly [schema: object, text: string]>> = {
  none: [integer, ''],
  both: [{ ...integer, minimum: 1, maximum: 50, default: 10 }, ' From 1 to 50; default 10.'],
  least: [{ ...integer, minimum: 0 }, ' At least 0.'],
  most: [{ ...integer, maximum: 5 }, ' At most 5.'],
  one: [{ ...integer, minimum: 5, maximum: 5 }, ' Exactly 5.'],
  ofJson: [{ ...integer, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, ''],
  exclusive: [{ type: 'number', exclusiveMinimum: 0, maximum: 9 }, ' More than 0, at most 9.'],
  below: [{ type: 'number', minimum: 0, exclusiveMaximum: 1 }, ' At least 0, less than 1.'],
  multiple: [{ ...integer, multipleOf: 5 }, ' A multiple of 5.'],
  characters: [{ ...text, minLength: 2, maxLength: 20 }, ' From 2 to 20 characters.'],
  character: [{ ...text, maxLength: 1 }, ' At most 1 character.'],
  pattern: [{ ...text, maxLength: 20, pattern: '^a{3}$' }, ''],
  items: [{ ...list, minItems: 1, uniqueItems: true }, ' At least 1 item; no item twice.'],
  listed: [{ ...text, enum: ['title', 'year'], default: 'title' }, ' Default "title".'],
  off: [{ type: 'boolean', default: false }, ' Default false.'],
  referred: [{ $ref: '#/components/schemas/Limit' }, ' From 1 to 50; default 10.'],
  beside: [{ $ref: '#/components/schemas/Limit', default: 5 }, ' From 1 to 50; default 5.'],
}

test('the client has the limits and the default of each parameter in its text', async () => {
  const parameters = Object.entries(limits).map(([name, [schema]]) => {
    return { name, in: 'query', description: 'A text.', schema }
  })
  const undescribed = { name: 'undescribed', in: 'query', schema: { ...integer, minimum: 1 } }
  const description = {
    openapi: '3.1.0',
    info: { title: 'Visits', version: '1.0.0' },
    paths: {
      '/visits': {
        get: {
          operationId: 'listVisits',
          parameters: [...parameters, undescribed],
          responses: { 204: { description: 'None.' } },
        },
      },
    },
    components: { schemas: { Limit: limits['both']?.[0] } },
  }
  const file = join(writeFiles({ 'openapi.yaml': description }), 'openapi.yaml')
  const { artifacts } = await compile(file, 'minimal')

  const calls = artifacts.get('calls.ts') ?? ''
  const texts = Array.from(calls.matchAll(/^ +\* - `(\w+)`: (.*)$/gm), ([, name, line]) => {
    return [name, line]
  })
  const expected = Object.entries(limits).map(([name, [, limit]]) => [name, `A text.${limit}`])
  expect(texts).toEqual([...expected, ['undescribed', 'At least 1.']])
  expect(artifacts.get('openapi.d.ts')).toContain('@description A text. From 1 to 50; default 10.')
})
