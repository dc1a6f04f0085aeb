import type { Field } from '../../support/traffic/exchange.ts'
import type { Sent } from '../support/sent.ts'
import type { Meddle } from './meddler.ts'
import { asking, parse, type SeededFault, withBody, withField } from './seeded-fault.ts'

const animal = '{"name":"Rex","categoryId":7}'

function adding(change: (sent: Sent) => Sent): Meddle {
  return asking((sent) => (sent.method === 'POST' ? change(sent) : sent))
}

/** What is wrong with something that is to be added is put right before anybody looks. */
export const mendedBodies: readonly SeededFault<Meddle>[] = [
  [
    'any media type is read as JSON',
    adding((sent) =>
      sent.body === undefined ? sent : withField(sent, 'Content-Type', 'application/json'),
    ),
    'body: media type',
    'outcome',
  ],
  [
    'what is not JSON is put right',
    adding((sent) =>
      sent.body === undefined || parse(sent.body) !== null || sent.body === 'null'
        ? sent
        : { ...sent, body: animal },
    ),
    'body: not JSON',
    'outcome',
  ],
  [
    'unknown fields are dropped',
    adding((sent) =>
      withBody(sent, ({ name, categoryId, status }) => ({ name, categoryId, status })),
    ),
    'body: unknown field',
    'outcome',
  ],
  [
    'a missing field is filled in',
    adding((sent) => withBody(sent, (content) => ({ categoryId: 0, ...content }))),
    'body: required',
    'outcome',
  ],
  [
    'numbers are taken for text',
    adding((sent) =>
      withBody(sent, (content) =>
        typeof content['name'] === 'number'
          ? { ...content, name: String(content['name']) }
          : content,
      ),
    ),
    'body: type',
    'outcome',
  ],
  [
    'a long text is cut',
    adding((sent) =>
      withBody(sent, (content) =>
        typeof content['name'] === 'string'
          ? { ...content, name: [...content['name']].slice(0, 1_000).join('') }
          : content,
      ),
    ),
    'body: maxLength',
    'outcome',
  ],
  [
    'a missing body is made up',
    adding((sent) =>
      sent.body === undefined
        ? { ...withField(sent, 'Content-Type', 'application/json'), body: animal }
        : sent,
    ),
    'body: missing',
    'outcome',
  ],
  [
    'of a repeated header the first is taken',
    adding((sent) => ({ ...sent, headers: firstOfEach(sent.headers) })),
    'header: repeated',
    'outcome',
  ],
  [
    'a header that is not valid is ignored',
    adding((sent) =>
      sent.headers.some(({ name, value }) => name === 'Idempotency-Key' && value.length > 255)
        ? withField(sent, 'Idempotency-Key', undefined)
        : sent,
    ),
    'header: maxLength',
    'outcome',
  ],
]

function firstOfEach(fields: readonly Field[]): Field[] {
  const isFirst = ({ name }: Field, at: number) =>
    fields.findIndex((field) => field.name.toLowerCase() === name.toLowerCase()) === at
  return fields.filter((field, at) => isFirst(field, at) || field.name === 'Authorization')
}
