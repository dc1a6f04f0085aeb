import { METHODS } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Bench } from './conformance.ts'
import {
  type Operation,
  type Parameter,
  parseJson,
  pathPattern,
  toList,
  toObject,
} from './description.ts'
import {
  clientKey,
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
import { headerValue, type Response } from './responses.ts'
import { unknownNames } from './values.ts'

/** One request, or a few that belong together, and what is wrong with the responses. */
export interface Case {
  readonly check: string
  /** The operation or the path that is asked. */
  readonly about: string
  readonly sent: readonly Sent[]
  readonly judge: () => Promise<readonly string[]>
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
export const safe = ['GET', 'HEAD', 'OPTIONS']

/** The status of each kind of rejection (RFC 9110, section 15.5). */
const rejections = {
  ...{ credential: 401, path: 404, method: 405, accept: 406, size: 413, mediaType: 415 },
  content: 400,
} as const

/**
 * Makes the cases of one operation: of each valid and each invalid request a few. Where it creates a
 * resource, `assigned` are the fields that the service adds.
 */
export function requestCases(bench: Bench, operation: Operation, assigned?: readonly string[]) {
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
    if (isValid) accepted.push(acceptedCase(bench, `accepted: ${keyword}`, made, assigned))
    else rejected.push(rejectedCase(bench, `${place.slice(1)}: ${keyword}`, made, 400, pointer))
  }
  for (const draft of whole) accepted.push(acceptedCase(bench, 'accepted', draft, assigned))
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

function acceptedCase(
  bench: Bench,
  check: string,
  draft: Draft,
  assigned?: readonly string[],
): Case {
  const { operation } = draft
  const sent = toSent(bench.description.basePath, draft)
  // Nothing need exist under the path.
  const isAddressed = operation.parameters.some(({ in: place }) => place === 'path')
  const usual = [...operation.successes, ...(isAddressed ? [rejections.path] : [])]
  return caseOf(check, operation.operationId, [sent], async () => {
    // With an Idempotency-Key, earlier requests of a client decide what it gets now.
    const isFirst = safe.includes(operation.method) || !hasHeaders(draft)
    const key = isFirst ? bench.apiKey : await bench.newKey()
    const { response, violations } = await bench.exchange(sent, key)
    const expected = isTooLarge(draft) ? [rejections.size] : usual
    const isCreated = assigned !== undefined && response.status < 300
    const changed = isCreated ? changedFields(sent, response, assigned) : []
    return [...statusViolations(response, expected), ...violations, ...changed]
  })
}

/** Compares what was created with what was sent. */
export function changedFields(
  sent: Sent,
  response: Response,
  assigned: readonly string[],
): readonly string[] {
  const [one, other] = [sent, response].map(({ body }) => toObject(parseJson(body)))
  return Object.keys({ ...one, ...other })
    .filter((name) => !assigned.includes(name) && !isDeepStrictEqual(one?.[name], other?.[name]))
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
  const isSize = check.startsWith('body') && status === 400 && isTooLarge(draft)
  const judge = () => judgeRejected(bench, sent, isSize ? rejections.size : status, pointer)
  return caseOf(check, draft.operation.operationId, [sent], judge)
}

export function caseOf(
  check: string,
  about: string,
  sent: readonly Sent[],
  judge: Case['judge'],
): Case {
  return { check, about, sent, judge }
}

async function judgeRejected(bench: Bench, sent: Sent, status: number, pointer?: string) {
  const { response, violations } = await bench.exchange(sent)
  const isRejected = response.status === status
  return [
    ...statusViolations(response, [status]),
    ...violations,
    ...(isRejected && pointer !== undefined ? detailViolations(response, pointer) : []),
  ]
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

function otherRejections(bench: Bench, operation: Operation, valid: () => Draft): Case[] {
  const { description, values } = bench
  const rejected = (check: string, status: number, draft: Draft, pointer?: string) =>
    rejectedCase(bench, check, draft, status, pointer)
  const queries = operation.parameters.filter(({ in: place }) => place === 'query')
  const names = queries.map(({ name }) => name)
  const undecodable = ['%', '%z', '%ff', '%c3', '%ed%a0%80', '%C0%80']
  const declaresAccept = description.locate([...operation.responses, '406']) !== undefined
  const unacceptable = ['text/html', 'application/xml', '*/*;q=0', 'image/*']
  return [
    ...credentialCases(operation, valid, rejected),
    ...(declaresAccept ? unacceptable : []).map((value) => {
      const draft = valid()
      const fields = [...draft.fields, { name: 'Accept', value }]
      return rejected('accept', rejections.accept, { ...draft, fields })
    }),
    ...operation.parameters.flatMap((parameter) => {
      const { in: place, isRequired, schema } = parameter
      const [one = 'a'] = validTexts(values, parameter) ?? []
      const [other = 'b'] = validTexts(values, parameter) ?? []
      const mayRepeat = values.kindOf(schema).isList || place === 'path' || place === 'cookie'
      const repeated = mayRepeat
        ? []
        : [
            [one, one],
            [one, other],
          ]
      const missing = isRequired && place !== 'path' ? [[]] : []
      return [...repeated, ...missing].map((texts) => {
        const what = texts.length === 0 ? 'missing' : 'repeated'
        const draft = withTexts(valid(), parameter, texts)
        return rejected(`${place}: ${what}`, 400, draft, pointerOf(parameter))
      })
    }),
    ...unknownNames(names).map((name) => {
      const draft = { ...valid(), query: `${encodeURIComponent(name)}=1` }
      return rejected('query: unknown', 400, draft, '/query')
    }),
    ...undecodable.flatMap((text) =>
      [`${values.pick(names) ?? 'x'}=${text}`, `${text}=1`].map((query) =>
        rejected('query: not UTF-8', 400, { ...valid(), query }, '/query'),
      ),
    ),
    ...bodyRejections(operation, valid, rejected),
  ]
}

type Rejected = (check: string, status: number, draft: Draft, pointer?: string) => Case

function credentialCases({ method, schemes }: Operation, valid: () => Draft, rejected: Rejected) {
  const { credential } = rejections
  return schemes.flatMap((_, number) => {
    const without = (draft: Draft): Draft => {
      return { ...draft, credentials: draft.credentials.toSpliced(number, 1) }
    }
    const missing = without(valid())
    const head = { ...missing, operation: { ...missing.operation, method: 'HEAD' } }
    const own = missing === undefined ? undefined : valid().credentials[number]
    const { name = '', value = '' } = own ?? {}
    const malformed = [
      ...[clientKey, `Basic ${clientKey}`, `${value}x`, `x${value}`, `${value} x`, `${value},`],
      ...[value.replace(clientKey, ''), value.replace(clientKey, `"${clientKey}"`)],
      ...[value.replace(' ', ''), value.replace(' ', '='), `${value}, ${value}`],
      ...[value.replace(clientKey, 'abc.~+/-='), 'abc'],
    ].map((text) => [{ name, value: text }])
    const twice = [1, 2].map(() => ({ name, value }))
    return [
      rejected('credential: missing', credential, missing),
      ...(method === 'GET' ? [rejected('HEAD: credential missing', credential, head)] : []),
      // The key alone is the whole credential of another kind of scheme.
      ...[...malformed.filter(([field]) => field?.value.trim() !== value), twice].map((fields) => {
        const draft = without(valid())
        const credentials = [...draft.credentials, ...fields]
        return rejected('credential: malformed', credential, { ...draft, credentials })
      }),
    ]
  })
}

function bodyRejections({ body }: Operation, valid: () => Draft, rejected: Rejected): Case[] {
  if (body === undefined) return []
  const { mediaType, maxBytes, isRequired } = body
  const whole = (): Draft & { readonly body: string } => {
    const draft = valid()
    return { ...draft, mediaType, body: draft.body ?? '{}' }
  }
  const garbled = (text: string) => [
    ...[text.slice(0, 1), text.slice(0, -1), text.slice(0, text.length / 2)],
    ...['}', ',', 'x', '{}', '\u0000', '//'].map((more) => text + more),
    ...[`\uFEFF${text}`, `(${text})`, text.replaceAll('"', "'"), ' '],
  ]
  const types = [
    ...[undefined, `${mediaType}5`, mediaType.replace('/', '/x-'), mediaType.split('/')[0]],
    ...['text/plain', 'text/html', 'application/xml', '*/*', 'multipart/form-data', 'a/b'],
  ]
  // White space around JSON means nothing, so that the size is the only violation.
  const padded = [1, 1_000].map((more) => {
    const draft = whole()
    const missing = Math.max(0, maxBytes + more - Buffer.byteLength(draft.body))
    return { ...draft, body: draft.body + ' '.repeat(maxBytes === Infinity ? 0 : missing) }
  })
  return [
    ...(isRequired ? [rejected('body: missing', 400, withoutBody(valid()), '/body')] : []),
    ...garbled(whole().body)
      .filter((text) => parseJson(text) === undefined)
      .map((text) => rejected('body: not JSON', 400, { ...whole(), body: text })),
    ...types.map((type) =>
      rejected('body: media type', rejections.mediaType, { ...whole(), mediaType: type }),
    ),
    ...(maxBytes === Infinity ? [] : padded).map((draft) =>
      rejected('body: too large', rejections.size, draft),
    ),
  ]
}

function withoutBody(draft: Draft): Draft {
  return { ...draft, mediaType: undefined, body: undefined }
}

// They depend on the request or on the moment.
const changing = /^(?:connection|keep-alive|date|x-request-id|x-ratelimit-(?:remaining|reset))$/i

/** Makes the cases of HEAD, whose response is that of GET without the content. */
export function headCases(bench: Bench, operation: Operation): Case[] {
  if (operation.method !== 'GET') return []
  const stable = ({ status, headers }: Response) =>
    headers
      .filter(({ name }) => !changing.test(name))
      .map(({ name, value }) => `${name}: ${value}`)
      .sort()
      .concat(`status: ${status}`)
      .join('; ')
  return [1, 2, 3].flatMap(() => {
    const draft = draftOf(bench.description, bench.values, operation)
    if (draft === undefined) return []
    const get = toSent(bench.description.basePath, draft)
    const head = { ...get, method: 'HEAD' }
    return caseOf('method: HEAD', operation.operationId, [head], async () => {
      const { response } = await bench.exchange(get)
      const { response: other, violations } = await bench.exchange(head)
      const isSame = stable(response) === stable(other)
      return [
        ...(isSame ? [] : [`HEAD gives ${stable(other)}, GET gives ${stable(response)}`]),
        ...violations,
      ]
    })
  })
}

/** Makes the cases of paths: the methods of each, and that there are no others. */
export function pathCases(bench: Bench): Case[] {
  const { description, values } = bench
  const { basePath, operations } = description
  return [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, own]) => {
    const methods = new Set([...own.map(({ method }) => method), 'OPTIONS'])
    if (methods.has('GET')) methods.add('HEAD')
    // Public operations share their paths with methods that are not.
    const schemes = [...new Set(operations.flatMap((one) => one.schemes))]
    const [operation] = own
    const draft = operation && draftOf(description, values, { ...operation, schemes })
    if (draft === undefined) return []
    const sent = toSent(basePath, withoutBody(draft))
    // CONNECT asks for a tunnel and has no path (RFC 9110, section 9.3.6).
    const undeclared = METHODS.filter((method) => !methods.has(method) && method !== 'CONNECT')
    const ofMethod = (check: string, method: string, status: number) => {
      const asked = { ...sent, method }
      return caseOf(check, path, [asked], async () => {
        const { response, violations } = await bench.exchange(asked)
        const allow = headerValue(response.headers, 'Allow') ?? ''
        const named = new Set(allow.split(',').map((one) => one.trim()))
        const isSame = named.symmetricDifference(methods).size === 0
        const message = `Allow is ${allow}, and should be ${[...methods].join(', ')}`
        return [
          ...statusViolations(response, [status]),
          ...violations,
          ...(isSame ? [] : [message]),
        ]
      })
    }
    const pathname = sent.path.split('?')[0] ?? ''
    return [
      ...undeclared.map((method) => ofMethod('method: undeclared', method, rejections.method)),
      ofMethod('method: OPTIONS', 'OPTIONS', 204),
      ...unknownPaths(bench, path, pathname).map((other) => {
        const asked = { ...sent, method: 'GET', path: other }
        const judge = () => judgeRejected(bench, asked, rejections.path)
        return caseOf('path: unknown', path, [asked], judge)
      }),
    ]
  })
}

/** Returns paths near one of the description, and that are none of its own. */
function unknownPaths({ description }: Bench, template: string, pathname: string): string[] {
  const { basePath, operations } = description
  const known = operations.map((operation) => pathPattern(basePath, operation.path))
  const below = `/${Array.from({ length: 6 }, (_, at) => `Part-${at}`).join('/')}`
  const ends = ['/', '//', '/x', '.json', ';a=b', '%2F', '/..', '/.', below]
  const changes = [
    ...ends.map((end) => (from: string) => from + end),
    (from: string) => basePath + from.slice(basePath.length).toUpperCase(),
    (from: string) => from.replace(basePath, `${basePath}/`),
  ]
  // A parameter of any text includes the end, and a longer path may be described as well.
  const sample = basePath + template.replaceAll(/\{[^{}]+\}/g, '1')
  return changes
    .filter((change) => !known.some((pattern) => pattern.test(change(sample))))
    .map((change) => change(pathname))
}
