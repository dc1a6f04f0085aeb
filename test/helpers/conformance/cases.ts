import { isDeepStrictEqual } from 'node:util'
import type { Bench } from './conformance.ts'
import { type Operation, type Parameter, parseJson, toList, toObject } from './description.ts'
import {
  type Draft,
  draftOf,
  isOpaque,
  isTooLarge,
  type Sent,
  textVariations,
  toSent,
  validTexts,
  withTexts,
} from './requests.ts'
import type { Response } from './responses.ts'
import { unknownNames } from './values.ts'

/** A request, and what is wrong with its response. */
export interface Case {
  readonly check: string
  readonly sent: Sent
  readonly judge: () => Promise<readonly string[]>
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
export const safe = ['GET', 'HEAD', 'OPTIONS']

/** The status of each kind of rejection (RFC 9110, section 15.5). */
const rejections = { content: 400, credential: 401, path: 404, size: 413 } as const

/** Makes the cases of one operation: of each valid and each invalid request a few. */
export function requestCases(bench: Bench, operation: Operation) {
  const { description, values } = bench
  const { body, parameters } = operation
  const drafts = [false, ...Array<undefined>(9)].map((isFull) =>
    draftOf(description, values, operation, isFull),
  )
  const whole = drafts.filter((draft) => draft !== undefined)
  const [first] = whole
  if (first === undefined) return { accepted: [], rejected: [] }
  const valid = () => values.pick(whole) ?? first
  const accepted: Case[] = []
  const rejected: Case[] = []
  const add = (place: string, keyword: string, made: Draft, isValid: boolean, pointer = place) => {
    if (isValid) accepted.push(acceptedCase(bench, `accepted: ${keyword}`, made))
    else rejected.push(rejectedCase(bench, `${place.slice(1)}: ${keyword}`, made, 400, pointer))
  }
  for (const draft of whole) accepted.push(acceptedCase(bench, 'accepted', draft))
  for (const parameter of parameters) {
    const place = `/${parameter.in}`
    const pointer = pointerOf(parameter)
    for (const { keyword, texts, isValid } of textVariations(values, parameter)) {
      if (isValid && isOpaque(operation, parameter)) continue
      for (const base of [first, valid()]) {
        add(place, keyword, withTexts(base, parameter, texts), isValid, pointer)
      }
    }
  }
  for (const { keyword, place, value, isBroken = false } of values.variationsOf(body?.schema)) {
    if (body === undefined) break
    const text = JSON.stringify(value)
    const made = { ...valid(), mediaType: body.mediaType, body: text }
    // A lone surrogate is no character (RFC 7493).
    const isValid = !isBroken && !/\\ud[89a-f]/.test(text) && values.isValid(body.schema, value)
    add('/body', keyword, made, isValid, `/body${place}`)
  }
  if (body?.isRequired === false) add('/body', 'no body', withoutBody(first), true)
  return { accepted, rejected: [...rejected, ...otherRejections(bench, operation, valid)] }
}

function acceptedCase(bench: Bench, check: string, draft: Draft): Case {
  const { operation } = draft
  const sent = toSent(bench.description.basePath, draft)
  // Nothing need exist under the path.
  const isAddressed = operation.parameters.some(({ in: place }) => place === 'path')
  const usual = [...operation.successes, ...(isAddressed ? [rejections.path] : [])]
  async function judge(): Promise<readonly string[]> {
    // With an Idempotency-Key, earlier requests of a client decide what it gets now.
    const isFirst = safe.includes(operation.method) || !hasHeaders(draft)
    const key = isFirst ? bench.apiKey : await bench.newKey()
    const { response, violations } = await bench.exchange(sent, key)
    const expected = isTooLarge(draft) ? [rejections.size] : usual
    const changed = response.status < 300 ? changedFields(sent, response) : []
    return [...statusViolations(response, expected), ...violations, ...changed]
  }
  return { check, sent, judge }
}

/** Compares the fields that were sent with those of the same name in the response. */
function changedFields(sent: Sent, response: Response): readonly string[] {
  const [one, other] = [sent, response].map(({ body }) => toObject(parseJson(body)))
  return Object.keys(one ?? {})
    .filter((name) => Object.hasOwn(other ?? {}, name))
    .filter((name) => !isDeepStrictEqual(one?.[name], other?.[name]))
    .map((name) => `the response has another ${name} than was sent`)
}

function hasHeaders({ texts }: Draft): boolean {
  return [...texts.keys()].some(({ in: place }) => place === 'header')
}

function rejectedCase(
  bench: Bench,
  check: string,
  draft: Draft,
  status: number,
  pointer?: string,
): Case {
  const sent = toSent(bench.description.basePath, draft)
  // The size of a body is seen before its content.
  const isSize = check.startsWith('body') && status === rejections.content && isTooLarge(draft)
  const expected = isSize ? rejections.size : status
  async function judge(): Promise<readonly string[]> {
    const { response, violations } = await bench.exchange(sent)
    const isNamed = response.status === expected && pointer !== undefined
    const details = isNamed ? detailViolations(response, pointer) : []
    return [...statusViolations(response, [expected]), ...violations, ...details]
  }
  return { check, sent, judge }
}

function statusViolations({ status }: Response, expected: readonly number[]): string[] {
  return expected.includes(status) ? [] : [`the status is ${status}, not ${expected.join(' or ')}`]
}

/** A validation error says where the violations are; no other error does. */
function detailViolations({ body }: Response, pointer: string): string[] {
  const { code, details } = toObject(parseJson(body))
  if (code !== 'invalid_request') return []
  const paths = toList(details).map((detail) => String(toObject(detail)['path']))
  if (paths.some((path) => path === pointer || path.startsWith(`${pointer}/`))) return []
  return [`details name ${paths.join(' and ') || 'nothing'}, not ${pointer}`]
}

function pointerOf({ in: place, name }: Parameter): string {
  if (place === 'header') return `/headers/${name.toLowerCase()}`
  return place === 'cookie' ? `/cookies/${name}` : `/${place}/${name}`
}

/** Returns requests without a credential, and with parameters or a body that are missing, repeated or unknown. */
function otherRejections(bench: Bench, operation: Operation, valid: () => Draft): Case[] {
  const { values } = bench
  const { parameters, body, schemes } = operation
  const rejected = (check: string, draft: Draft, pointer: string) =>
    rejectedCase(bench, check, draft, rejections.content, pointer)
  const anonymous = { ...valid(), credentials: [] }
  const queries = parameters.filter(({ in: place }) => place === 'query')
  return [
    ...(schemes.length === 0 ? [] : [anonymous]).map((draft) =>
      rejectedCase(bench, 'credential: missing', draft, rejections.credential),
    ),
    ...parameters.flatMap((parameter) => {
      const { in: place, isRequired, schema } = parameter
      const [one = 'a'] = validTexts(values, parameter) ?? []
      const [other = 'b'] = validTexts(values, parameter) ?? []
      const mayRepeat = values.kindOf(schema).isList || place === 'path' || place === 'cookie'
      const repeated = mayRepeat ? [] : [one, other].map((second) => [one, second])
      const missing = isRequired && place !== 'path' ? [[]] : []
      return [...repeated, ...missing].map((texts) => {
        const what = texts.length === 0 ? 'missing' : 'repeated'
        const draft = withTexts(valid(), parameter, texts)
        return rejected(`${place}: ${what}`, draft, pointerOf(parameter))
      })
    }),
    ...unknownNames(queries.map(({ name }) => name)).map((name) => {
      const draft = { ...valid(), query: `${encodeURIComponent(name)}=1` }
      return rejected('query: unknown', draft, '/query')
    }),
    ...(body?.isRequired === true
      ? [rejected('body: missing', withoutBody(valid()), '/body')]
      : []),
  ]
}

function withoutBody(draft: Draft): Draft {
  return { ...draft, mediaType: undefined, body: undefined }
}
