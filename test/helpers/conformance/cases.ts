import { isDeepStrictEqual } from 'node:util'
import { changesOf, samplesOf, wrongLocations } from './changes.ts'
import {
  type Description,
  type Operation,
  type Parameter,
  parseJson,
  toList,
  toObject,
} from './description.ts'
import { type Draft, draftOf, textVariations } from './requests.ts'
import type { Response } from './responses.ts'

/** A request, and what its response has to be. */
export interface Case {
  readonly check: string
  readonly draft: Draft
  /** The statuses that the response may have. */
  readonly expected: readonly number[]
  /** The locations, of which the details of a validation error name one at least. */
  readonly pointers?: readonly string[]
  /** Whether it is sent without an API key. */
  readonly isAnonymous?: boolean
}

/** Statuses that the service gives by itself, not the handler. */
const givenByService = [400, 401, 405, 406, 413, 415, 429]

/** Returns the cases of one operation; none are accepted if no valid request can be made. */
export function casesOf(description: Description, operation: Operation) {
  const { body, parameters, isPublic } = operation
  const accepted: Case[] = []
  const rejected: Case[] = []
  const accept = (check: string, draft: Draft) => accepted.push(acceptedCase(check, draft))
  const reject = (check: string, draft: Draft, ...pointers: readonly string[]) =>
    rejected.push(rejectedCase(check, draft, pointers))
  const small = draftOf(description, operation, false)
  if (small === undefined) return { accepted, rejected }
  const full = draftOf(description, operation, true) ?? small
  // With the body of all requests that may have an idempotency key: it may be repeated with that alone.
  const base = { ...small, body: full.body }
  accept('all parts', full)
  accept('required parts', small)
  if (!isPublic) rejected.push({ check: 'no key', draft: full, expected: [401], isAnonymous: true })
  for (const parameter of parameters) {
    const { in: location, isRequired, isOpaque } = parameter
    const change = (draft: Draft, texts: readonly string[]): Draft => {
      return { ...draft, texts: new Map([...draft.texts, [parameter, texts]]) }
    }
    const pointer = pointerOf(parameter)
    if (isRequired && location !== 'path') reject(`${location}: missing`, change(full, []), pointer)
    const variations = textVariations(description, parameter)
    const [text = 'a'] = variations[0]?.texts ?? []
    const isList = samplesOf(description, parameter).some(Array.isArray)
    if (location === 'query' && !isList) {
      reject('query: repeated', change(full, [text, text]), pointer)
    }
    for (const { kind, texts, isValid } of variations) {
      const check = `${location}: ${kind}`
      // With nothing else in the request that could be the reason, or that needs a second validator.
      if (!isValid) reject(check, change(small, texts), pointer)
      else if (!isOpaque) accept(check, change(base, texts))
    }
  }
  for (const name of ['unknown', '__proto__', `${parameters[0]?.name}s`]) {
    const texts = new Map([...full.texts, [{ name, in: 'query' }, ['1']]])
    reject('query: unknown', { ...full, texts }, '/query')
  }
  if (body === undefined) return { accepted, rejected }
  if (body.isRequired) reject('body: missing', { ...full, body: undefined }, '/body')
  const samples = samplesOf(description, body)
  for (const [kind, value] of [
    ...samples.map((sample) => ['sample', sample] as const),
    ...changesOf(description, body.schema, samples),
  ]) {
    const draft = { ...small, body: JSON.stringify(value) }
    const wrongAt = wrongLocations(description, body.schema, value)
    const pointers = wrongAt.map((at) => `/body${at}`)
    if (wrongAt.length === 0) accept(`body: ${kind}`, draft)
    else reject(`body: ${kind}`, draft, ...pointers)
  }
  return { accepted, rejected }
}

function acceptedCase(check: string, draft: Draft): Case {
  if (isTooLarge(draft)) return { check, draft, expected: [413] }
  const { parameters, responses } = draft.operation
  // Nothing need exist under the path.
  const missing = parameters.some(({ in: location }) => location === 'path') ? [404] : []
  // A handler may reject what the schema allows, with a status of its own.
  const isExpected = (status: number) =>
    (status >= 200 && status < 300) ||
    (status > 400 && status < 500 && !givenByService.includes(status))
  return {
    check,
    draft,
    expected: [...Object.keys(responses).map(Number).filter(isExpected), ...missing],
  }
}

function rejectedCase(check: string, draft: Draft, pointers: readonly string[]): Case {
  // The size of a body is seen before its content.
  return { check, draft, expected: [isTooLarge(draft) ? 413 : 400], pointers }
}

function isTooLarge({ operation, body = '' }: Draft): boolean {
  return Buffer.byteLength(body) > (operation.body?.maxBytes ?? Infinity)
}

function pointerOf({ in: location, name }: Parameter): string {
  if (location === 'header') return `/headers/${name.toLowerCase()}`
  return location === 'cookie' ? `/cookies/${name}` : `/${location}/${name}`
}

/** Returns what is wrong with the response to a case; a handler that is sampled stores nothing. */
export function caseViolations(
  { check, draft, expected, pointers = [] }: Case,
  isSampled: boolean,
  { status, body }: Pick<Response, 'status' | 'body'>,
): readonly string[] {
  const received = toObject(parseJson(body))
  if (!expected.includes(status)) return [`the status is ${status}, not ${expected.join(' or ')}`]
  // No request was sent before with its idempotency key and another body.
  if (status !== 400 && /^idempotency_/.test(String(received['code']))) {
    return [`${status} ${received['code']} is no response to a valid request`]
  }
  if (status < 300 && !isSampled && check !== 'body: unknown field') {
    return Object.entries(toObject(parseJson(draft.body)))
      .filter(([name]) => Object.hasOwn(received, name))
      .filter(([name, value]) => !isDeepStrictEqual(received[name], value))
      .map(([name]) => `the response has another ${name} than was sent`)
  }
  if (status !== 400) return []
  const paths = toList(received['details']).map((detail) => String(toObject(detail)['path']))
  const isNamed = (pointer: string) =>
    paths.some((path) => path === pointer || path.startsWith(`${pointer}/`))
  if (received['code'] === 'invalid_request' && pointers.some(isNamed)) return []
  return [`${received['code']} names ${paths.join()}, not ${pointers.join(' or ')}`]
}
