import fc from 'fast-check'
import { type Operation, type Parameter, parseJson, toList, toObject } from './description.ts'
import {
  clientKey,
  type Draft,
  draftsOf,
  isOpaque,
  isTooLarge,
  type Sent,
  textEdgesOf,
  textsOf,
  textViolationsOf,
  toSent,
  withTexts,
} from './requests.ts'
import type { Field, Response } from './responses.ts'
import { type Bench, type Case, createCase } from './run.ts'
import { anyCharacter } from './schemas.ts'
import type { Generator } from './variations.ts'

/** Methods that change nothing (RFC 9110, section 9.2.1). */
export const safe = ['GET', 'HEAD', 'OPTIONS']

/** The status of each kind of rejection (RFC 9110, section 15.5). */
export const rejections = {
  credential: 401,
  path: 404,
  method: 405,
  accept: 406,
  size: 413,
  mediaType: 415,
  content: 400,
} as const

/** Makes the cases of one operation's valid requests, those at the limits of keywords among them. */
export function acceptedCases(generator: Generator, operation: Operation): Case[] {
  const whole = draftsOf(generator, operation)
  const accepted = (check: string, values: fc.Arbitrary<Draft>) =>
    createCase({
      ...{ check, operation: operation.operationId, values, judge: judgeAccepted },
      requests: (draft) => [toSent(generator, draft)],
    })
  const ofParameters = operation.parameters
    .filter((parameter) => !isOpaque(operation, parameter))
    .flatMap((parameter) =>
      textEdgesOf(generator, parameter).map(({ keyword, texts }) =>
        accepted(`accepted: ${keyword}`, withParameter(whole, parameter, texts)),
      ),
    )
  const { body } = operation
  const ofBody = (body === undefined ? [] : generator.edgesOf(body.schema)).map(
    ({ keyword, values }) =>
      accepted(
        `accepted: ${keyword}`,
        fc.tuple(whole, values).map(([draft, value]) => {
          return { ...draft, mediaType: body?.mediaType, body: JSON.stringify(value) }
        }),
      ),
  )
  const isOptional = body?.isRequired === false
  return [
    accepted('accepted', whole),
    ...ofParameters,
    ...ofBody,
    ...(isOptional ? [accepted('accepted: no body', whole.map(withoutBody))] : []),
  ]
}

async function judgeAccepted(draft: Draft, bench: Bench): Promise<string[]> {
  const { operation } = draft
  // Earlier requests of a client may decide what it gets now: with an Idempotency-Key, for example.
  const key = safe.includes(operation.method) ? bench.apiKey : await bench.newKey()
  const { response, violations } = await bench.exchange(toSent(bench.generator, draft), key)
  const isAddressed = operation.parameters.some(({ in: place }) => place === 'path')
  // Nothing need exist under a generated path.
  const usual = [...operation.successes, ...(isAddressed ? [rejections.path] : [])]
  const expected = isTooLarge(draft) ? [rejections.size] : usual
  return [...statusViolations(response, expected), ...violations]
}

/** Makes the cases of one operation's invalid requests: each has one violation. */
export function rejectedCases(generator: Generator, operation: Operation): Case[] {
  const whole = draftsOf(generator, operation)
  const rejected: Rejected = (check, status, values, place) =>
    createCase({
      ...{ check, operation: operation.operationId, values },
      judge: (draft, bench) => {
        // The size of a body is seen before its content.
        const isSize =
          check.startsWith('body') && status === rejections.content && isTooLarge(draft)
        const expected = isSize ? rejections.size : status
        return judgeRejected(toSent(generator, draft), bench, expected, place)
      },
      requests: (draft) => [toSent(generator, draft)],
    })
  return [
    ...callerCases(generator, operation, whole, rejected),
    ...operation.parameters.flatMap((parameter) =>
      parameterCases(generator, parameter, whole, rejected),
    ),
    rejected('query: unknown', rejections.content, unknownQuery(whole, operation), '/query'),
    rejected('query: not UTF-8', rejections.content, undecodable(whole, operation), '/query'),
    ...bodyCases(generator, operation, whole, rejected),
  ]
}

type Rejected = (check: string, status: number, drafts: fc.Arbitrary<Draft>, place?: string) => Case

/** Sends an invalid request; returns what is wrong with the rejection. */
export async function judgeRejected(sent: Sent, bench: Bench, status: number, place?: string) {
  const { response, violations } = await bench.exchange(sent)
  const isRejected = response.status === status
  return [
    ...statusViolations(response, [status]),
    ...violations,
    ...(isRejected && place !== undefined ? detailViolations(response, place) : []),
  ]
}

export function statusViolations({ status }: Response, expected: readonly number[]): string[] {
  return expected.includes(status) ? [] : [`the status is ${status}, not ${expected.join(' or ')}`]
}

/** A validation error says where the violations are; no other error does. */
function detailViolations({ body }: Response, place: string): string[] {
  const { code, details } = toObject(parseJson(body))
  if (code !== 'invalid_request') return []
  const paths = toList(details).map((detail) => String(toObject(detail)['path']))
  const tokens = place.split('*').map((text) => RegExp.escape(text))
  const wanted = new RegExp(`^${tokens.join('\\d+')}(?:/|$)`)
  if (paths.some((path) => wanted.test(path))) return []
  return [`details name ${paths.join(' and ') || 'nothing'}, not ${place}`]
}

function callerCases(
  { description }: Generator,
  operation: Operation,
  whole: fc.Arbitrary<Draft>,
  rejected: Rejected,
): Case[] {
  const { credential, accept } = rejections
  const credentials = operation.schemes.flatMap((_, number) => {
    const without = (draft: Draft) => draft.credentials.toSpliced(number, 1)
    const missing = whole.map((draft) => ({ ...draft, credentials: without(draft) }))
    const malformed = whole.chain((draft) => {
      const own = draft.credentials[number]
      const fields = own === undefined ? fc.constant([]) : malformedCredentials(own)
      return fields.map((field) => ({ ...draft, credentials: [...without(draft), ...field] }))
    })
    const head = missing.map((draft) => {
      return { ...draft, operation: { ...draft.operation, method: 'HEAD' } }
    })
    return [
      rejected('credential: missing', credential, missing),
      rejected('credential: malformed', credential, malformed),
      ...(operation.method === 'GET'
        ? [rejected('HEAD: credential missing', credential, head)]
        : []),
    ]
  })
  const refusing = fc.constantFrom('text/html', 'application/xml', '*/*;q=0', 'image/*')
  const unacceptable = fc.tuple(whole, refusing).map(([draft, value]) => {
    return { ...draft, fields: [...draft.fields, { name: 'Accept', value }] }
  })
  const declares = description.locate([...operation.responses, String(accept)]) !== undefined
  return [...credentials, ...(declares ? [rejected('accept', accept, unacceptable)] : [])]
}

/** Ways to write a credential that is not valid. */
function malformedCredentials({ name, value }: Field): fc.Arbitrary<readonly Field[]> {
  const token = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,60}=?$/)
  const texts = fc.oneof(
    fc.constantFrom(
      ...[clientKey, `Basic ${clientKey}`, `${value}x`, `x${value}`, `${value} x`, `${value},`],
      ...[value.replace(clientKey, ''), value.replace(clientKey, `"${clientKey}"`)],
      ...[value.replace(' ', ''), value.replace(' ', '='), `${value}, ${value}`],
    ),
    token.map((text) => value.replace(clientKey, text)),
    token,
  )
  // The key alone is the whole credential of another kind of scheme.
  const single = texts
    .filter((text) => text.trim() !== value)
    .map((text) => [{ name, value: text }])
  const twice = fc.constant([1, 2].map(() => ({ name, value })))
  return fc.oneof({ weight: 8, arbitrary: single }, { weight: 1, arbitrary: twice })
}

function parameterCases(
  generator: Generator,
  parameter: Parameter,
  whole: fc.Arbitrary<Draft>,
  rejected: Rejected,
): Case[] {
  const { in: place, name, isRequired, schema } = parameter
  const at = place === 'header' ? `/headers/${name.toLowerCase()}` : `/${place}/${name}`
  const pointer = place === 'cookie' ? `/cookies/${name}` : at
  const broken = (check: string, texts: fc.Arbitrary<readonly string[]>) =>
    rejected(
      `${place}: ${check}`,
      rejections.content,
      withParameter(whole, parameter, texts),
      pointer,
    )
  const texts = textsOf(generator, parameter)
  const twice = fc.oneof(
    texts.map(([text = '']) => [text, text]),
    fc.tuple(texts, texts).map(([[one = ''], [other = '']]) => [one, other]),
  )
  const isList = generator.flatten(schema)['type'] === 'array'
  const mayRepeat = isList || place === 'path' || place === 'cookie'
  return [
    ...textViolationsOf(generator, parameter).map(({ keyword, texts: wrong }) =>
      broken(keyword, wrong),
    ),
    ...(mayRepeat ? [] : [broken('repeated', twice)]),
    ...(isRequired && place !== 'path' ? [broken('missing', fc.constant([]))] : []),
  ]
}

function withParameter(
  drafts: fc.Arbitrary<Draft>,
  parameter: Parameter,
  texts: fc.Arbitrary<readonly string[]>,
) {
  return fc.tuple(drafts, texts).map(([draft, text]) => withTexts(draft, parameter, text))
}

function queryNamesOf({ parameters }: Operation): string[] {
  return parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
}

function unknownQuery(whole: fc.Arbitrary<Draft>, operation: Operation) {
  const known = queryNamesOf(operation)
  const near = known.flatMap((name) => [name.toUpperCase(), `${name}s`, `${name} `, `${name}[]`])
  const any = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 })
  const names = fc
    .oneof(fc.constantFrom(...near, '__proto__', 'constructor', 'page'), any)
    .filter((name) => !known.includes(name))
  const values = fc.string({ unit: 'grapheme-ascii', maxLength: 5 })
  return fc.tuple(whole, names, values).map(([draft, name, value]) => {
    return { ...draft, query: [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] }
  })
}

function undecodable(whole: fc.Arbitrary<Draft>, operation: Operation) {
  const names = fc.constantFrom(...queryNamesOf(operation), 'x')
  const texts = fc.constantFrom('%', '%z', '%ff', '%c3', '%ed%a0%80', '%C0%80')
  const pairs = fc.oneof(
    fc.tuple(names, texts).map(([name, text]) => `${name}=${text}`),
    texts.map((text) => `${text}=1`),
  )
  return fc.tuple(whole, pairs).map(([draft, pair]) => ({ ...draft, query: [pair] }))
}

function bodyCases(
  generator: Generator,
  { body }: Operation,
  drafts: fc.Arbitrary<Draft>,
  rejected: Rejected,
): Case[] {
  if (body === undefined) return []
  const { mediaType, maxBytes, schema, isRequired } = body
  const { content, size, mediaType: unsupported } = rejections
  const whole = drafts.filter((draft) => draft.body !== undefined)
  // White space around JSON means nothing, so that the size is the only violation.
  const padded = fc.tuple(whole, fc.integer({ min: 1, max: 1_000 })).map(([draft, extra]) => {
    const missing = Math.max(0, maxBytes + extra - Buffer.byteLength(draft.body ?? ''))
    return { ...draft, body: draft.body + ' '.repeat(missing) }
  })
  const types = mediaTypesBut(mediaType)
  const mistyped = fc.tuple(whole, types).map(([draft, type]) => ({ ...draft, mediaType: type }))
  return [
    ...generator.violationsOf(schema).map(({ keyword, place, values }) => {
      const broken = fc
        .tuple(whole, values)
        .map(([draft, value]) => ({ ...draft, body: JSON.stringify(value) }))
      return rejected(`body: ${keyword}`, content, broken, `/body${place}`)
    }),
    ...(isRequired ? [rejected('body: missing', content, whole.map(withoutBody))] : []),
    rejected('body: not JSON', content, whole.chain(garbled)),
    rejected('body: media type', unsupported, mistyped),
    ...(maxBytes === Infinity ? [] : [rejected('body: too large', size, padded)]),
  ]
}

export function withoutBody(draft: Draft): Draft {
  return { ...draft, mediaType: undefined, body: undefined }
}

function garbled(draft: Draft): fc.Arbitrary<Draft> {
  const text = draft.body ?? ''
  const cut = fc.integer({ min: 1, max: text.length - 1 }).map((length) => text.slice(0, length))
  const added = fc.constantFrom('}', ',', 'x', '{}', '\u0000', '//').map((more) => text + more)
  const others = fc.constantFrom(`\uFEFF${text}`, `(${text})`, text.replaceAll('"', "'"), ' ')
  return fc
    .oneof(cut, added, others)
    .filter((body) => parseJson(body) === undefined)
    .map((body) => ({ ...draft, body }))
}

function mediaTypesBut(mediaType: string): fc.Arbitrary<string | undefined> {
  const near = [`${mediaType}5`, mediaType.replace('/', '/x-'), mediaType.split('/')[0]]
  const common = ['text/plain', 'text/html', 'application/xml', '*/*', 'multipart/form-data']
  const token = fc.stringMatching(/^[a-z][a-z0-9.+-]{0,10}$/)
  const any = fc.tuple(token, token).map((parts) => parts.join('/'))
  return fc
    .oneof(fc.constantFrom(undefined, ...near, ...common), any)
    .filter((type) => type !== mediaType)
}
