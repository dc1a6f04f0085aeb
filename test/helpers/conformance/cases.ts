import { isDeepStrictEqual } from 'node:util'
import { unknownNames } from './changes.ts'
import { type Operation, type Parameter, parseJson, toList, toObject } from './description.ts'
import { type Draft, draftOf, isTooLarge, withTexts } from './requests.ts'
import type { Response } from './responses.ts'
import { textVariations, validTexts } from './texts.ts'
import type { Values } from './values.ts'

/** A request, and what its response has to be. */
export interface Case {
  readonly check: string
  readonly draft: Draft
  /** The statuses that the response may have. */
  readonly expected: readonly number[]
  /** The names of the fields that the operation declares for its body. */
  readonly declared?: ReadonlySet<string>
  /** The locations, of which the details of a validation error name one at least. */
  readonly pointers?: readonly string[]
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
export const safe = ['GET', 'HEAD', 'OPTIONS']

/** The status of each kind of rejection (RFC 9110, section 15.5). */
const rejections = { content: 400, credential: 401, path: 404, size: 413 } as const

/** Statuses that the service gives by itself, not the handler. */
const givenByService = [400, 401, 405, 406, 413, 415, 429]

/** Makes the cases of one operation: of each valid and each invalid request a few. */
export function requestCases(values: Values, operation: Operation) {
  const { body, parameters } = operation
  const drafts = Array.from({ length: 10 }, (_, at) => {
    return draftOf(values, operation, at > 0 && values.random() < 0.5)
  })
  const whole = drafts.filter((draft) => draft !== undefined)
  const [first] = whole
  if (first === undefined) return { accepted: [], rejected: [] }
  const valid = () => values.pick(whole) ?? first
  const declared = values.namesIn(body?.schema)
  const accept = (check: string, draft: Draft) => ({ ...acceptedCase(check, draft), declared })
  const accepted = whole.map((draft) => accept('accepted', draft))
  const rejected: Case[] = otherRejections(values, operation, valid)
  const add = (location: string, keyword: string, draft: Draft, wrongAt: readonly string[]) => {
    if (wrongAt.length === 0) accepted.push(accept(`accepted: ${keyword}`, draft))
    else rejected.push(rejectedCase(`${location}: ${keyword}`, draft, wrongAt))
  }
  for (const parameter of parameters) {
    for (const { keyword, texts, isValid } of textVariations(values, parameter)) {
      if (isValid && parameter.isOpaque) continue
      const wrongAt = isValid ? [] : [pointerOf(parameter)]
      for (const base of [first, valid()]) {
        add(parameter.in, keyword, withTexts(base, parameter, texts), wrongAt)
      }
    }
  }
  for (const { keyword, value, wrongAt } of body ? values.variationsOf(body.schema) : []) {
    const text = JSON.stringify(value)
    // A lone surrogate is no character (RFC 7493).
    const isText = !/\\ud[89a-f]/.test(text)
    const locations = (isText ? wrongAt : ['', ...wrongAt]).map((at) => `/body${at}`)
    add('body', keyword, { ...valid(), body: text }, locations)
  }
  return { accepted, rejected }
}

function acceptedCase(check: string, draft: Draft): Case {
  if (isTooLarge(draft)) return { check, draft, expected: [rejections.size] }
  const { parameters, responses } = draft.operation
  const declaredStatuses = Object.keys(responses).map(Number)
  // Nothing need exist under the path.
  const isAddressed = parameters.some(({ in: location }) => location === 'path')
  const missing = isAddressed ? [rejections.path] : []
  // A handler may reject what the schema allows, with a status of its own.
  const isExpected = (status: number) =>
    (status >= 200 && status < 300) ||
    (status > 400 && status < 500 && !givenByService.includes(status))
  return { check, draft, expected: [...declaredStatuses.filter(isExpected), ...missing] }
}

function rejectedCase(check: string, draft: Draft, pointers: readonly string[]): Case {
  // The size of a body is seen before its content.
  const isSize = check.startsWith('body') && isTooLarge(draft)
  return { check, draft, expected: [isSize ? rejections.size : rejections.content], pointers }
}

/** Returns what is wrong with the response to a case, beside what the description says of it. */
export function caseViolations(
  { check, expected, declared, pointers = [] }: Case,
  stored: string | undefined,
  { status, body }: Response,
): readonly string[] {
  const received = toObject(parseJson(body))
  if (!expected.includes(status)) return [`the status is ${status}, not ${expected.join(' or ')}`]
  // Nothing was sent before with the idempotency key of an accepted request.
  if (check.startsWith('accepted') && /^idempotency_/.test(String(received['code']))) {
    return [`${status} ${received['code']} is no response to a valid request`]
  }
  if (status < 300) {
    return Object.entries(toObject(parseJson(stored)))
      .filter(([name]) => declared?.has(name) && Object.hasOwn(received, name))
      .filter(([name, value]) => !isDeepStrictEqual(received[name], value))
      .map(([name]) => `the response has another ${name} than was sent`)
  }
  // A validation error says where the violations are; no other error does.
  if (received['code'] !== 'invalid_request') return []
  const paths = toList(received['details']).map((detail) => String(toObject(detail)['path']))
  const isNamed = (pointer: string) =>
    paths.some((path) => path === pointer || path.startsWith(`${pointer}/`))
  return pointers.some(isNamed)
    ? []
    : [`details name ${paths.join()}, not ${pointers.join(' or ')}`]
}

function pointerOf({ in: location, name }: Parameter): string {
  if (location === 'header') return `/headers/${name.toLowerCase()}`
  return location === 'cookie' ? `/cookies/${name}` : `/${location}/${name}`
}

/** Returns requests without a credential, and with parameters or a body that are missing, repeated or unknown. */
function otherRejections(values: Values, operation: Operation, valid: () => Draft): Case[] {
  const { parameters, body, schemes } = operation
  const queries = parameters.filter(({ in: location }) => location === 'query')
  const expected = [rejections.credential]
  const anonymous = { ...valid(), operation: { ...operation, schemes: [] } }
  return [
    ...(schemes.length > 0 ? [{ check: 'credential: missing', draft: anonymous, expected }] : []),
    ...parameters.flatMap((parameter) => {
      const { in: location, isRequired, schema } = parameter
      const [one = 'a', other = 'b'] = [1, 2].map(() => validTexts(values, parameter)?.[0])
      const isList = values.samplesOf(schema).some(Array.isArray)
      const mayRepeat = isList || location === 'path' || location === 'cookie'
      const repeated = [one, other].map((second) => [one, second])
      return [
        ...(mayRepeat ? [] : repeated.map((texts) => ['repeated', texts] as const)),
        ...(isRequired && location !== 'path' ? [['missing', []] as const] : []),
      ].map(([what, texts]) => {
        const draft = withTexts(valid(), parameter, texts)
        return rejectedCase(`${location}: ${what}`, draft, [pointerOf(parameter)])
      })
    }),
    ...unknownNames(queries.map(({ name }) => name)).map((name) => {
      const draft = withTexts(valid(), { name, in: 'query' }, ['1'])
      return rejectedCase('query: unknown', draft, ['/query'])
    }),
    ...(body?.isRequired
      ? [rejectedCase('body: missing', { ...valid(), body: undefined }, ['/body'])]
      : []),
  ]
}
