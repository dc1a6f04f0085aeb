import { resolve } from 'node:path'
import { createAnswerFaults } from '../../support/traffic/answer-faults.ts'
import { type JsonObject, toObject } from '../../support/traffic/contract-index.ts'
import { headerValue } from '../../support/traffic/exchange.ts'
import { type Fault, faults, unless } from './fault.ts'
import type { Answer, Sent } from './sent.ts'

/** Finds what is wrong with an answer, whatever was asked. */
export type AnswerCheck = (sent: Sent, answer: Answer, operation?: JsonObject) => Fault[]

const project = resolve(import.meta.dirname, '../../..')
/** What only the inside of the service knows: frames of a stack, files, words of a database. */
const inside = [
  /\bat .{0,80}:\d+:\d+/,
  /\bnode:internal|node_modules|\.[cm]?[jt]s:\d/,
  /\bSQLITE_|\bSQLSTATE|near ".{0,20}": syntax error|no such (?:table|column)/,
  /\b(?:Type|Reference|Syntax|Range)Error\b/,
]

/** Makes the check of answers, out of the description alone: none of the service's code is in it. */
export function createAnswerCheck(root: JsonObject): AnswerCheck {
  // Nothing that is sent here is misframed, so no answer may say so.
  const faultsOf = createAnswerFaults({ ...root, 'x-framing-response': undefined })
  return (sent, answer, operation) => [
    ...faults('answer', faultsOf(toExchange(sent, answer))),
    ...leaks(answer),
    ...requestIdFaults(sent, answer),
    ...(operation?.['deprecated'] === true ? deprecationFaults(operation, answer) : []),
  ]
}

function toExchange({ method, path, headers }: Sent, answer: Answer) {
  const url = `http://127.0.0.1${path}`
  return {
    test: '',
    method,
    url,
    requestHeaders: headers,
    isRequestWhole: true,
    ...answer,
    waived: [],
  }
}

function leaks({ headers, body }: Answer): Fault[] {
  const text = [...headers.map(({ value }) => value), body].join('\n')
  const found = inside.map((pattern) => pattern.exec(text)?.[0]).find(Boolean)
  const told = text.includes(project) ? project : found
  return unless(told === undefined, 'leak', `the answer shows ${JSON.stringify(told)}`)
}

function requestIdFaults(sent: Sent, { headers }: Answer): Fault[] {
  const own = headerValue(sent.headers, 'X-Request-Id')
  const said = headerValue(headers, 'X-Request-Id')
  const isKept = own === undefined || said === own
  return unless(isKept, 'request id', `X-Request-Id is ${said}, and was sent as ${own}`)
}

/** RFC 9745 and RFC 8594, out of what the description says of the operation. */
function deprecationFaults(operation: JsonObject, { headers }: Answer): Fault[] {
  const since = operation['x-deprecated-at']
  const sunset = operation['x-sunset']
  const dates = [
    ['Deprecation', since && `@${Date.parse(String(since)) / 1_000}`],
    ['Sunset', sunset && new Date(String(sunset)).toUTCString()],
  ] as const
  const wrong = dates.flatMap(([name, wanted]) => {
    const said = headerValue(headers, name)
    const isRight = wanted === undefined || said === wanted
    return unless(isRight, 'deprecation', `${name} is ${said}, and should be ${wanted}`)
  })
  const isReplaced = toObject(operation['x-replaced-by'])['operationId'] !== undefined
  const link = headerValue(headers, 'Link') ?? ''
  const isLinked = !isReplaced || link.includes('rel="successor-version"')
  return [...wrong, ...unless(isLinked, 'deprecation', 'Link names no successor-version')]
}
