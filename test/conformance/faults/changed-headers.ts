import type { Meddle } from './meddler.ts'
import { answering, type SeededFault, withField } from './seeded-fault.ts'

/** Answers whose header fields are not those that are described. */
export const changedHeaders: readonly SeededFault<Meddle>[] = [
  [
    'a header is left out of every answer',
    answering((answer) => withField(answer, 'X-RateLimit-Remaining', undefined)),
    'accepted',
    'answer',
  ],
  [
    'a header is left out of refusals',
    answering((answer) =>
      answer.status < 400 ? answer : withField(answer, 'X-Content-Type-Options', undefined),
    ),
    'credential: missing',
    'answer',
  ],
  [
    'answers may be cached',
    answering((answer) => withField(answer, 'Cache-Control', 'public')),
    'accepted',
    'answer',
  ],
  [
    'a limit is no number',
    answering((answer) => withField(answer, 'X-RateLimit-Limit', 'many')),
    'accepted',
    'answer',
  ],
  [
    'a header tells what the service is made of',
    answering((answer) => withField(answer, 'X-Powered-By', 'Express')),
    'accepted',
    'answer',
  ],
  [
    'nobody is told how to authenticate',
    answering((answer) => withField(answer, 'WWW-Authenticate', undefined)),
    'credential: missing',
    'answer',
  ],
  [
    'every answer has a request id of its own',
    answering((answer) => withField(answer, 'X-Request-Id', 'a-request-of-nobody')),
    'accepted',
    'request id',
  ],
  [
    'the deprecation is not mentioned',
    answering((answer) => withField(answer, 'Deprecation', undefined)),
    'accepted',
    'deprecation',
  ],
  [
    'an operation is said to go on another day',
    answering((answer, { path }) =>
      path.includes('/pets/')
        ? withField(answer, 'Sunset', 'Fri, 06 Dec 2030 00:00:00 GMT')
        : answer,
    ),
    'accepted',
    'deprecation',
  ],
  [
    'no answer links to what replaces a deprecated operation',
    answering((answer, { path }) =>
      path.includes('/pets/') ? withField(answer, 'Link', undefined) : answer,
    ),
    'accepted',
    'deprecation',
  ],
  [
    'Allow lacks a method',
    answering((answer) =>
      answer.status === 204 ? withField(answer, 'Allow', 'GET, OPTIONS') : answer,
    ),
    'method: OPTIONS',
    'methods',
  ],
  [
    'Allow names a method too many',
    answering((answer) =>
      answer.status === 405
        ? withField(answer, 'Allow', 'DELETE, GET, HEAD, OPTIONS, POST')
        : answer,
    ),
    'method: undeclared',
    'methods',
  ],
  [
    'HEAD has other headers than GET',
    answering((answer, { method }) =>
      method === 'HEAD' ? withField(answer, 'Content-Length', '1') : answer,
    ),
    'method: HEAD',
    'methods',
  ],
]
