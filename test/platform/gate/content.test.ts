import { expect, test } from 'vitest'
import { describe, findChanges, ofOperation, type Patch } from './support/snippets.ts'

const text = { type: 'string' }
const file = { type: 'string', format: 'binary' }

function bodyOf(mediaType: string, media: object): Patch {
  return ofOperation({ requestBody: { content: { [mediaType]: media } } })
}

function formOf(mediaType: string, properties: object, media: object = {}): Patch {
  return bodyOf(mediaType, { schema: { type: 'object', properties }, ...media })
}

function streamOf(mediaType: string, schema: object, keyword = 'x-item-schema'): Patch {
  const content = { [mediaType]: { [keyword]: schema } }
  return ofOperation({ responses: { 200: { description: 'Done.', content } } })
}

function eventOf(properties: object, data: object = {}) {
  const contentSchema = { type: 'object', properties }
  const json = { type: 'string', contentMediaType: 'application/json', contentSchema, ...data }
  return { type: 'object', required: ['data'], properties: { data: json, event: text } }
}

/** Returns the changes, as their rules, that need a version: `!` stands before those that are breaking. */
function changesOf(before: Patch, after: Patch): readonly string[] {
  const changes = findChanges(describe(before), describe(after))
  const others = changes.filter(({ id }) => id !== 'extension-changed')
  return others.map(({ id, breaking }) => (breaking ? `!${id}` : id))
}

type Row = readonly [before: Patch, after: Patch, changes: readonly string[]]

const lines = 'application/jsonl'
const item = (properties: object) => ({ type: 'object', properties })
const multipart = 'multipart/form-data'
const form = 'application/x-www-form-urlencoded'

const rows: Readonly<Record<string, Row>> = {
  'a property of the items of lines': [
    streamOf(lines, item({ a: text, b: text })),
    streamOf(lines, item({ a: text })),
    ['!response-optional-property-removed'],
  ],
  'a new property in the JSON of events': [
    streamOf('text/event-stream', eventOf({ a: text })),
    streamOf('text/event-stream', eventOf({ a: text, b: text })),
    ['response-optional-property-added'],
  ],
  'another type in the JSON of events': [
    streamOf('text/event-stream', eventOf({ a: text })),
    streamOf('text/event-stream', eventOf({ a: { type: 'number' } })),
    ['!response-property-type-changed'],
  ],
  'items in itemSchema, which were those of a list': [
    streamOf(lines, { type: 'array', items: text }, 'schema'),
    streamOf(lines, text),
    [],
  ],
  'whole events that become their data': [
    streamOf('text/event-stream', eventOf({ a: text })),
    streamOf('text/event-stream', item({ a: text, data: text, event: text })),
    [
      ...['!response-items-form-changed', '!response-property-became-optional'],
      ...['!response-property-type-changed', 'response-optional-property-added'],
    ],
  ],
  'a required field of a form': [
    formOf(form, { a: text }),
    bodyOf(form, { schema: { ...item({ a: text, b: text }), required: ['b'] } }),
    ['!new-required-request-property'],
  ],
  'another style of a field of a form': [
    formOf(form, { a: { type: 'array', items: text } }),
    formOf(form, { a: { type: 'array', items: text } }, { encoding: { a: { explode: false } } }),
    ['!request-body-field-form-changed'],
  ],
  'a smaller file': [
    formOf(multipart, { a: { ...file, 'x-max-bytes': 10 } }),
    formOf(multipart, { a: { ...file, 'x-max-bytes': 9 } }),
    ['!request-body-field-max-bytes-decreased'],
  ],
  'other media types of a file': [
    formOf(multipart, { a: file }, { encoding: { a: { contentType: 'image/png' } } }),
    formOf(multipart, { a: file }, { encoding: { a: { contentType: 'image/*' } } }),
    ['request-body-field-media-type-added'],
  ],
  'headers of a part': [
    formOf(multipart, { a: file }, { encoding: { a: { contentType: 'image/png' } } }),
    formOf(multipart, { a: file }, { encoding: { a: { headers: { X: { schema: text } } } } }),
    ['request-body-field-media-type-added', '!request-body-encoding-changed'],
  ],
  'a media type beside that of bytes': [
    bodyOf('image/png', {}),
    ofOperation({ requestBody: { content: { 'image/png': {}, 'image/gif': {} } } }),
    ['request-body-media-type-added'],
  ],
}

test.for(Object.entries(rows))('content: %s', ([, [before, after, changes]]) => {
  expect([...changesOf(before, after)].sort()).toEqual([...changes].sort())
})
