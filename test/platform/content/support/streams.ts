import type { CallableHandler } from '../../../../server/contract/handler.ts'
import type { Api } from '../../../../server/served-api.ts'
import { createSmallApi, type SmallOperation } from '../../validation/support/small-api.ts'

const price = {
  type: 'object',
  required: ['cents'],
  properties: { cents: { type: 'integer' }, note: { type: 'string' } },
  additionalProperties: false,
}
const data = { type: 'string', contentMediaType: 'application/json', contentSchema: price }
const text = { type: 'string' }
/** JSON, although the schema has no media type for it. */
const content = { ...text, contentSchema: price }
const whole = {
  type: 'object',
  required: ['data'],
  properties: { data, id: text, event: text, retry: { type: 'integer' } },
}
const done = { type: 'object', properties: { data: { type: 'string', const: '[DONE]' } } }

/** Kinds of streams: the media type, and the schema of the items. */
const kinds = {
  data: ['text/event-stream', price],
  numbers: ['text/event-stream', { type: 'integer' }],
  events: ['text/event-stream', whole],
  contents: ['text/event-stream', { type: 'object', properties: { data: content } }],
  mixed: ['text/event-stream', { oneOf: [whole, done] }],
  texts: ['text/event-stream', undefined],
  lines: ['application/jsonl', price],
  sequence: ['application/json-seq', price],
  bytes: ['application/zip', undefined],
} as const

export type StreamKind = keyof typeof kinds

export type StreamHandler = (...call: Parameters<CallableHandler>) => ReturnType<CallableHandler>

/** Returns an API with one operation for each stream, at `/v1/0` and so on. */
export function createStreamApi(streams: readonly (readonly [StreamKind, StreamHandler])[]): Api {
  const operations = streams.map(([kind, handler], index) => {
    const [mediaType, schema] = kinds[kind]
    const media = schema === undefined ? {} : { itemSchema: schema }
    const response = { content: { [mediaType]: media } }
    return { method: 'get', path: `/${index}`, response, handler } as SmallOperation
  })
  return createSmallApi(operations, {}, '/v1', '3.2.0')
}
