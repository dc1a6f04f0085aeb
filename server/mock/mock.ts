import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type GenerateSyncOptions, generateSync } from 'json-schema-faker'
import { createCompiler } from '../contract/ajv.ts'
import {
  type Description,
  isObject,
  type JsonObject,
  operationObject,
  type SchemaHolder,
  unescapeToken,
} from '../contract/description.ts'
import { ApiError, shorten } from '../contract/errors.ts'
import type { CallableHandler } from '../contract/handler.ts'
import { json, preferHeaders, type ResponseHeaders, serviceHeaders } from '../contract/headers.ts'
import { isJsonType } from '../contract/media-types.ts'
import type { Operation } from '../contract/operation.ts'
import type { RequestValues } from '../contract/parameters.ts'
import type { Api } from '../served-api.ts'
import {
  identifyResource,
  impliedHeaders,
  linkToNextPage,
  namePath,
  selectItems,
} from './consistency.ts'

/**
 * Returns handlers that respond with the examples of the description, or else with samples of its
 * schemas, which agree with the request as far as they can. `Prefer: code=…` and `Prefer: example=…`
 * choose, as they do in other mock servers; an example that is chosen is sent unchanged.
 */
export function createMock({ description, operations }: Api): Record<string, CallableHandler> {
  const findSample = createFindSample(description)

  /** Returns the body of a response, which agrees with the request unless it was chosen by its name. */
  function readBody(
    what: string,
    { status, content = {} }: DeclaredResponse,
    operation: Operation,
    { path, query }: RequestValues,
    example: string | undefined,
  ): unknown {
    const { value, isValid } = findSample(`${what} body`, content, example)
    if (example !== undefined) return value
    let fitted = value
    if (status < 300) {
      fitted = identifyResource(selectItems(value, query), operation.path, path)
    }
    if (status === 404) {
      const { parameters } = operationObject(description, operation)
      fitted = namePath(
        value,
        parameters.filter((one) => one.in === 'path'),
        path,
      )
    }
    return isValid(fitted) ? fitted : value
  }

  /** Returns the headers of a response that its body implies, and the others that are required. */
  function readHeaders(
    what: string,
    { status, headers: declared }: DeclaredResponse,
    body: unknown,
    toNextPage: ((example: string) => string) | undefined,
  ): ResponseHeaders {
    const implied = status < 400 ? {} : impliedHeaders(status, body)
    const headers: ResponseHeaders = {}
    for (const [name, header] of Object.entries(declared)) {
      const isLink = name === 'Link' && toNextPage !== undefined
      const isOfService = serviceHeaders.some((own) => own === name)
      // Other optional headers report something that has not happened here.
      const isSampled = !isOfService && (header.required === true || isLink)
      if (!isSampled && implied[name] === undefined) continue
      const { value, isValid } = findSample(`${what} header ${name}`, header)
      const other = isLink ? toNextPage(String(value)) : implied[name]
      headers[name] = toFieldValue(other !== undefined && isValid(other) ? other : value)
    }
    return headers
  }

  const createHandler = (operation: Operation): CallableHandler =>
    function respond(values, { prefer, hrefWith }) {
      const preferences = readPreferences(prefer)
      const chosen = choose(declaredResponses(description, operation), operation, preferences)
      const { status, content, mediaType } = chosen
      const what = `${operation.operationId} has no handler, and no sample of its ${status} keeps the contract:`
      const example = preferences.get('example')
      const body = content && readBody(what, chosen, operation, values, example)
      // An example of a link leads to a second page and no further, so that pagination ends.
      const { paginatedBy = '' } = operation
      const { query } = values
      const isFirstPage = paginatedBy !== '' && !Object.hasOwn(query, paginatedBy)
      const toNextPage = (link: string) => linkToNextPage(link, paginatedBy, query, hrefWith)
      const isLinked = status < 300 && isFirstPage
      const headers = readHeaders(what, chosen, body, isLinked ? toNextPage : undefined)
      const applied = printPreferences(preferences)
      if (applied !== '') headers[preferHeaders.response] = applied
      if (content === undefined) return { status, headers }
      return { status, headers, mediaType, body: isJsonType(mediaType) ? body : String(body) }
    }

  const all = Object.values(operations)
  return Object.fromEntries(all.map((each) => [each.operationId, createHandler(each)]))
}

function toFieldValue(value: unknown): string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}

/** Prints the preferences that were applied, as a header field has them. */
function printPreferences(preferences: ReadonlyMap<string, string>): string {
  const applied = Array.from(preferences, ([name, value]) =>
    /^[\w.-]+$/.test(value) ? `${name}=${value}` : `${name}="${value}"`,
  )
  return applied.join(', ')
}

/** Returns the responses of an operation by ascending status code; not of ranges or `default`. */
function declaredResponses(description: Description, operation: Operation) {
  const responses = Object.entries(operationObject(description, operation).responses)
  return responses.flatMap(([status, { headers = {}, content: all = {} }]) => {
    if (!/^\d{3}$/.test(status)) return []
    const types = Object.keys(all)
    const mediaType = types.find((type) => type === json) ?? types[0] ?? json
    // Without content there is no media type object.
    const content = all[mediaType]
    return [{ status: Number(status), headers, content, mediaType, examples: examplesOf(content) }]
  })
}

type DeclaredResponse = ReturnType<typeof declaredResponses>[number]

/** Returns the examples of a media type or a header by name; `example` is called that. */
function examplesOf({ example, examples = {} }: SchemaHolder = {}): Map<string, unknown> {
  const found = new Map<string, unknown>()
  if (example !== undefined) found.set('example', example)
  for (const [name, one] of Object.entries(examples)) {
    if (isObject(one) && 'value' in one) found.set(name, one['value'])
  }
  return found
}

/** Returns the response that is preferred, else the first success; throws an `ApiError` if there is none. */
function choose(
  responses: readonly DeclaredResponse[],
  { operationId }: Operation,
  preferences: ReadonlyMap<string, string>,
): DeclaredResponse {
  const reject = (what: string): ApiError => {
    const list = responses.map(({ status, examples }) =>
      examples.size === 0 ? `${status}` : `${status} (${[...examples.keys()].join(', ')})`,
    )
    const message = `${operationId} has ${what}. It has: ${list.join('; ')}.`
    const detail = 'asks for what the contract does not have'
    const details = [{ path: '/headers/prefer', message: detail }]
    return new ApiError({ status: 400, code: 'invalid_request' }, message, { details })
  }
  const code = preferences.get('code')
  const example = preferences.get('example')
  const success = responses.find(({ status }) => status >= 200 && status < 300) ?? responses[0]
  const wanted = responses.find(({ status }) => String(status) === code)
  const chosen = code === undefined ? success : wanted
  if (chosen === undefined) throw reject(`no response with the code "${shorten(code ?? '')}"`)
  if (example !== undefined && !chosen.examples.has(example)) {
    throw reject(`no example "${shorten(example)}" of its ${chosen.status}`)
  }
  return chosen
}

/** Reads `code` and `example` from `Prefer` (RFC 7240); the first of several counts. */
function readPreferences(fields: readonly string[]): Map<string, string> {
  const preference = /(?:^|[,;])\s*(code|example)\s*=\s*(?:"([^"]*)"|([^\s",;]*))/gi
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of fields.join().matchAll(preference)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, quoted ?? plain)
  }
  return found
}

/** A value that is valid for a media type or a header, and the check of others. */
interface Sample {
  readonly value: unknown
  readonly isValid: (value: unknown) => boolean
}

/**
 * Returns a function that finds a valid value for a media type or a header: the example with a name, or
 * else the first one of all its examples and of the samples of its schema. It throws an `ApiError` if
 * there is none; `what` names the value.
 */
function createFindSample(description: Description) {
  const compile = createCompiler(description, 'response')
  const found = new Map<string, Sample>()

  return function findSample(what: string, holder: SchemaHolder, example?: string): Sample {
    const key = JSON.stringify([what, example])
    const known = found.get(key)
    if (known !== undefined) return known
    const { schema } = holder
    const validate = compile(schema ?? {})
    const examples = examplesOf(holder)
    const named = example === undefined ? undefined : [examples.get(example)]
    let violation: string | undefined
    for (const candidate of named ?? candidatesFor(description, schema, examples.values())) {
      const value = withoutWriteOnly(candidate, validate)
      if (validate(value)) {
        const sample = { value, isValid: (other: unknown) => validate(other) }
        found.set(key, sample)
        return sample
      }
      const [error] = validate.errors ?? []
      violation ??= `${error?.instancePath} ${error?.message}`.trim()
    }
    const advice =
      'Add an example to the description, or ask for another response with Prefer: code=…'
    const message = `${what} ${violation ?? 'no value for it is known'}. ${advice}.`
    // Not 501, which the operation does not declare.
    throw new ApiError({ status: 500, code: 'internal_error' }, message)
  }
}

/** Returns a value, or a copy of it without the properties that are for requests alone. */
function withoutWriteOnly(value: unknown, validate: ValidateFunction): unknown {
  if (validate(value)) return value
  const copy = structuredClone(value)
  for (const { keyword, instancePath } of validate.errors ?? []) {
    if (keyword !== 'writeOnly') continue
    const keys = instancePath.split('/').slice(1).map(unescapeToken)
    const last = keys.pop() ?? ''
    const owner = keys.reduce((part, key) => Object(part)[key], Object(copy))
    Reflect.deleteProperty(owner, last)
  }
  return copy
}

// The most complete value first, then the smallest, for which the faker goes deep into a schema.
const attempts: readonly GenerateSyncOptions[] = [
  { useExamplesValue: true, alwaysFakeOptionals: true, filterExampleDefaults: false },
  { optionalsProbability: 0, maxDefaultItems: 1, maxDepth: 20 },
]
const seeds = [1, 2, 3, 4, 5]

/** Yields values that may be valid for a schema: examples, those of the schema, and samples of it. */
export function* candidatesFor(
  { components, paths }: Description,
  schema: JsonObject | undefined,
  examples: Iterable<unknown>,
): Generator<unknown> {
  yield* examples
  if (schema === undefined) return
  const own = schema['examples']
  if (Array.isArray(own)) yield* own
  // The faker merges what stands beside a `$ref`, so the reference is in a property.
  const properties = { value: schema }
  const wrapped = { type: 'object', required: ['value'], properties, components, paths }
  for (const options of attempts) {
    for (const seed of seeds) {
      try {
        yield Object(generateSync({ ...wrapped }, { ...options, seed })).value
      } catch {
        // It does not support some schemas.
      }
    }
  }
}
