import type { Answer } from '../support/sent.ts'
import type { Meddle } from './meddler.ts'
import { answering, refusing, type SeededFault, withBody, withField } from './seeded-fault.ts'

function finding(change: (answer: Answer) => Answer): Meddle {
  const isFound = ({ status }: Answer) => status === 200 || status === 201
  return answering((answer) => (isFound(answer) ? change(answer) : answer))
}

/** Answers whose status, media type or body is not what is described. */
export const changedAnswers: readonly SeededFault<Meddle>[] = [
  [
    'what is added is answered as if it was there before',
    answering((answer) => (answer.status === 201 ? { ...answer, status: 200 } : answer)),
    'accepted',
    'answer',
  ],
  [
    'a refusal has a status that is not documented',
    refusing((answer) => ({ ...answer, status: 418 })),
    'credential: missing',
    'answer',
  ],
  [
    'what is not valid is answered as a fault of the service',
    refusing(({ headers, status }) => ({
      headers,
      status: status === 400 ? 500 : status,
      body: '{"code":"internal_error","message":"The service failed.","status":500}',
    })),
    'query: type',
    'outcome',
  ],
  [
    'what is not valid is answered with success',
    answering((answer, { method }) =>
      answer.status === 400 && method === 'GET' ? { ...answer, status: 200, body: '[]' } : answer,
    ),
    'query: type',
    'outcome',
  ],
  [
    'OPTIONS is answered with content',
    answering((answer, { method }) =>
      method === 'OPTIONS' ? { ...answer, status: 200, body: '[]' } : answer,
    ),
    'method: OPTIONS',
    'answer',
  ],
  [
    'JSON is sent as plain text',
    answering((answer) => withField(answer, 'Content-Type', 'text/plain')),
    'accepted',
    'answer',
  ],
  [
    'an error is a page of HTML',
    refusing((answer) => ({
      ...withField(answer, 'Content-Type', 'text/html; charset=utf-8'),
      body: '<!DOCTYPE html><pre>Bad Request</pre>',
    })),
    'credential: missing',
    'answer',
  ],
  [
    'an answer is cut off',
    answering((answer) => ({ ...answer, body: answer.body.slice(0, -1) })),
    'accepted',
    'answer',
  ],
  [
    'a field is answered that is not described',
    finding((answer) => withBody(answer, (animal) => ({ ...animal, owner: 1 }))),
    'accepted',
    'answer',
  ],
  [
    'a field is missing',
    finding((answer) => withBody(answer, ({ categoryId: _, ...animal }) => animal)),
    'accepted',
    'answer',
  ],
  [
    'a number is answered as text',
    finding((answer) => withBody(answer, (animal) => ({ ...animal, id: String(animal['id']) }))),
    'accepted',
    'answer',
  ],
  [
    'a value is answered that the enum lacks',
    finding((answer) => withBody(answer, (animal) => ({ ...animal, status: 'lost' }))),
    'accepted',
    'answer',
  ],
  [
    'what is absent is answered as null',
    finding((answer) => withBody(answer, (animal) => ({ status: null, ...animal }))),
    'accepted: required',
    'answer',
  ],
]
