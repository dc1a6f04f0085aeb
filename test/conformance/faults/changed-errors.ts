import { resolve } from 'node:path'
import type { Meddle } from './meddler.ts'
import { refusing, type SeededFault, withBody } from './seeded-fault.ts'

function saying(message: string): Meddle {
  return refusing((answer) => withBody(answer, (error) => ({ ...error, message })))
}

const stack = new Error('no such animal').stack ?? ''

/** Error objects that are not what is described, or say too much. */
export const changedErrors: readonly SeededFault<Meddle>[] = [
  ['an error shows a stack', saying(stack), 'credential: missing', 'leak'],
  [
    'an error shows a file',
    saying(`ENOENT: ${resolve(import.meta.dirname, '../../../server/app.ts')}`),
    'credential: missing',
    'leak',
  ],
  ['an error shows the database', saying('no such table: animals'), 'credential: missing', 'leak'],
  [
    'an error has another status than its answer',
    refusing((answer) => withBody(answer, (error) => ({ ...error, status: 599 }))),
    'credential: missing',
    'answer',
  ],
  [
    'an error has the code of another one',
    refusing((answer) => withBody(answer, (error) => ({ ...error, code: 'not_found' }))),
    'credential: missing',
    'answer',
  ],
  [
    'an error names no place',
    refusing((answer) => withBody(answer, ({ details: _, ...error }) => error)),
    'query: type',
    'details',
  ],
  [
    'an error names another place',
    refusing((answer) =>
      withBody(answer, (error) =>
        error['details'] === undefined
          ? error
          : { ...error, details: [{ path: '/body/colour', message: 'is wrong' }] },
      ),
    ),
    'query: type',
    'details',
  ],
  [
    'an error lists more than it may',
    refusing((answer) =>
      withBody(answer, (error) => ({ ...error, details: Array(101).fill(firstOf(error)) })),
    ),
    'credential: missing',
    'answer',
  ],
]

function firstOf({ details }: { readonly details?: unknown }) {
  return Array.isArray(details) ? details[0] : { path: '/body', message: 'is wrong' }
}
