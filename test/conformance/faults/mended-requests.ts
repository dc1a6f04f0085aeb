import type { Sent } from '../support/sent.ts'
import type { Meddle } from './meddler.ts'
import { asking, type SeededFault, withField, withQuery } from './seeded-fault.ts'

function isSent({ headers }: Sent, name: string): boolean {
  return headers.some((field) => field.name.toLowerCase() === name)
}

/** What is wrong with a request is put right before anybody looks, so that it is not refused. */
export const mendedRequests: readonly SeededFault<Meddle>[] = [
  [
    'nobody has to authenticate',
    (sent, pass, { apiKey }) =>
      pass(
        isSent(sent, 'authorization') ? sent : withField(sent, 'Authorization', `Bearer ${apiKey}`),
      ),
    'credential: missing',
    'outcome',
  ],
  [
    'any credential will do',
    (sent, pass, { apiKey }) =>
      pass(
        isSent(sent, 'authorization') ? withField(sent, 'Authorization', `Bearer ${apiKey}`) : sent,
      ),
    'credential: malformed',
    'outcome',
  ],
  [
    'what the caller accepts is ignored',
    asking((sent) => withField(sent, 'Accept', undefined)),
    'accept',
    'outcome',
  ],
  [
    'an unknown method is taken for GET',
    asking((sent) =>
      ['GET', 'HEAD', 'OPTIONS', 'POST'].includes(sent.method) ? sent : { ...sent, method: 'GET' },
    ),
    'method: undeclared',
    'outcome',
  ],
  [
    'a slash at the end of a path is ignored',
    asking((sent) => ({ ...sent, path: sent.path.replace(/\/+$/, '') })),
    'path: unknown',
    'outcome',
  ],
  [
    'of a repeated parameter the first is taken',
    asking((sent) =>
      withQuery(sent, (query) => {
        for (const [name, value] of [...query].reverse()) query.set(name, value)
      }),
    ),
    'query: repeated',
    'outcome',
  ],
  [
    'unknown parameters are ignored',
    asking((sent) =>
      sent.path.includes('%')
        ? sent
        : withQuery(sent, (query) => {
            for (const name of query.keys().toArray()) {
              if (!['limit', 'status', 'cursor'].includes(name)) query.delete(name)
            }
          }),
    ),
    'query: unknown',
    'outcome',
  ],
  [
    'a limit that is too large is made smaller',
    asking((sent) =>
      sent.path.includes('%')
        ? sent
        : withQuery(sent, (query) => {
            if (Number(query.get('limit')) > 100) query.set('limit', '100')
          }),
    ),
    'query: maximum',
    'outcome',
  ],
  [
    'a list may be asked for what is in none',
    asking((sent) =>
      sent.path.includes('status=')
        ? withQuery(sent, (query) => {
            const known = ['available', 'pending', 'sold'].includes(query.get('status') ?? '')
            if (!known) query.delete('status')
          })
        : sent,
    ),
    'query: enum',
    'outcome',
  ],
]
