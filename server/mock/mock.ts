import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type GenerateSyncOptions, generateSync } from 'json-schema-faker'
import { createCompiler } from '../contract/ajv.ts'
import {
  type Description,
  isObject,
  type Located,
  locate,
  rootOf,
} from '../contract/description.ts'
import { ApiError, shorten } from '../contract/errors.ts'
import { json, type ResponseHeaders, serviceHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import type { Mock, MockRequest } from '../contract/routes.ts'

/**
 * Returns a mock that responds with the examples of the description, or else with samples of its
 * schemas. `Prefer: code=…` and `Prefer: example=…` choose, as they do in other mock servers.
 */
export function createMock(description: Description): Mock {
  const findSample = createFindSample(description)

  function headersOf(operation: Operation, { status, at }: DeclaredResponse, request: MockRequest) {
    const headers: ResponseHeaders = {}
    for (const name of membersOf(description, at, 'headers')) {
      const header = locate(description, at, 'headers', name)
      if (header === undefined || serviceHeaders.some((own) => own === name)) continue
      // Optional headers report something that has not happened here, except a link to a next page.
      const isLink = name === 'Link' && hasNextPage(operation, status, request)
      if (header.node['required'] !== true && !isLink) continue
      const sample = findSample(header, [...examplesOf(description, header).values()])
      if ('violation' in sample) throw noSample(operation, status, `header ${name}`, sample)
      headers[name] = toHeader(sample.value)
    }
    return headers
  }

  function bodyOf(operation: Operation, response: DeclaredResponse, example: string | undefined) {
    const { status, content, mediaType, examples } = response
    if (content === undefined) return {}
    const candidates = example === undefined ? [...examples.values()] : [examples.get(example)]
    const sample = findSample(content, candidates, example !== undefined)
    if ('violation' in sample) throw noSample(operation, status, 'body', sample)
    return { mediaType, body: mediaType === json ? sample.value : String(sample.value) }
  }

  return {
    readsHeaders: ['Prefer'],
    ownHeaders: ['Preference-Applied'],
    respond(operation, request) {
      const preferences = readPreferences(request.prefer)
      const response = chooseResponse(description, operation, preferences, request.prefer)
      const headers = headersOf(operation, response, request)
      const applied = Array.from(preferences ?? [], ([name, value]) => `${name}=${quote(value)}`)
      if (applied.length > 0) headers['Preference-Applied'] = applied.join(', ')
      const { status } = response
      return { status, headers, ...bodyOf(operation, response, preferences?.get('example')) }
    },
  }
}

/** A response that the description declares for an operation. */
interface DeclaredResponse {
  readonly status: number
  readonly at: Located
  /** The media type object of its content; absent for a response without content. */
  readonly content: Located | undefined
  readonly mediaType: string
  readonly examples: ReadonlyMap<string, unknown>
}

/** Returns the responses of an operation by ascending status code; not of ranges or `default`. */
function declaredResponses(description: Description, { path, method }: Operation) {
  const responses = locate(description, rootOf(description), 'paths', path, method, 'responses')
  return Object.keys(responses?.node ?? {}).flatMap((status): DeclaredResponse[] => {
    const at = responses && locate(description, responses, status)
    if (at === undefined || !/^\d{3}$/.test(status)) return []
    const types = membersOf(description, at, 'content')
    const mediaType = types.find((type) => type === json) ?? types[0] ?? json
    const content = locate(description, at, 'content', mediaType)
    const examples = content ? examplesOf(description, content) : new Map<string, unknown>()
    return [{ status: Number(status), at, content, mediaType, examples }]
  })
}

function membersOf(description: Description, at: Located, name: string): string[] {
  return Object.keys(locate(description, at, name)?.node ?? {})
}

/** Returns the examples of a media type or a header by name; `example` is called that. */
function examplesOf(description: Description, at: Located): Map<string, unknown> {
  const examples = new Map<string, unknown>()
  if (at.node['example'] !== undefined) examples.set('example', at.node['example'])
  for (const name of membersOf(description, at, 'examples')) {
    const node = locate(description, at, 'examples', name)?.node
    if (isObject(node) && 'value' in node) examples.set(name, node['value'])
  }
  return examples
}

/** Returns the response that is preferred, else the first success; throws an `ApiError` if there is none. */
function chooseResponse(
  description: Description,
  operation: Operation,
  preferences: ReadonlyMap<string, string> | undefined,
  prefer: readonly string[],
): DeclaredResponse {
  const responses = declaredResponses(description, operation)
  const reject = (what: string): ApiError => {
    const list = responses.map(({ status, examples }) =>
      examples.size === 0 ? `${status}` : `${status} (${[...examples.keys()].join(', ')})`,
    )
    const message = `${operation.operationId} has ${what}. It has: ${list.join('; ')}.`
    const detail = 'asks for what the contract does not have'
    const details = [{ path: '/headers/prefer', message: detail }]
    return new ApiError({ status: 400, code: 'invalid_request' }, message, { details })
  }
  if (preferences === undefined) {
    const what = `nothing for "${shorten(prefer.join(', '))}", which is no list of preferences`
    throw reject(`${what} such as code=404, example="a name"`)
  }
  const code = preferences.get('code')
  const example = preferences.get('example')
  const success = responses.find(({ status }) => status >= 200 && status < 300) ?? responses[0]
  const wanted = responses.find(({ status }) => String(status) === code)
  const chosen = code === undefined ? success : wanted
  if (chosen === undefined) throw reject(`no answer with the code "${shorten(code ?? '')}"`)
  if (example !== undefined && !chosen.examples.has(example)) {
    throw reject(`no example "${shorten(example)}" of its ${chosen.status}`)
  }
  return chosen
}

// RFC 7240, section 2: names, perhaps with values, and perhaps with parameters behind semicolons.
const preference =
  /[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:=[ \t]*(?:"((?:\\.|[^"\\])*)"|([^\s",;]*))[ \t]*)?)?(?:[,;]|$)/y

/**
 * Reads `code` and `example` from `Prefer` (RFC 7240); the first of several counts. A parameter of a
 * preference counts as one: that is what clients mean by `code=404; example=none`. Returns undefined if
 * the header is malformed.
 */
function readPreferences(fields: readonly string[]): Map<string, string> | undefined {
  const found = new Map<string, string>()
  const text = fields.join(', ')
  for (let at = 0; at < text.length; at = preference.lastIndex) {
    preference.lastIndex = at
    const match = preference.exec(text)
    if (match === null) return undefined
    const [, name = '', quoted, plain] = match
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
    const key = name.toLowerCase()
    if ((key === 'code' || key === 'example') && !found.has(key)) found.set(key, value)
  }
  return found
}

function quote(value: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(value)) return value
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

function toHeader(value: unknown): string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}

// An example of a link leads to a second page and no further, so that pagination ends.
function hasNextPage(operation: Operation, status: number, { queryNames }: MockRequest): boolean {
  const { paginatedBy } = operation
  return status < 300 && paginatedBy !== undefined && !queryNames.includes(paginatedBy)
}

/** A valid value, or what is wrong with the first candidate. */
type Sample = { readonly value: unknown } | Violation

interface Violation {
  readonly violation: string
}

// Not 501, which the operation does not declare.
function noSample(operation: Operation, status: number, part: string, { violation }: Violation) {
  const why = `no sample of its ${status} keeps the contract: ${part} ${violation}`
  const advice = 'Add an example to the description, or ask for another answer with Prefer: code=…'
  const message = `${operation.operationId} has no handler, and ${why}. ${advice}.`
  return new ApiError({ status: 500, code: 'internal_error' }, message)
}

/**
 * Returns a function that finds the first valid value for a media type or a header: of `examples`, or of
 * its schema unless `isStrict`.
 */
function createFindSample(description: Description) {
  const compile = createCompiler(description, 'response')
  const validators = new Map<string, ValidateFunction>()

  function violationOf({ pointer }: Located, value: unknown): string | undefined {
    const validate =
      validators.get(pointer) ?? compile({ $ref: `description#${encodeURI(pointer)}` })
    validators.set(pointer, validate)
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    return `${error?.instancePath} ${error?.message}`.trim()
  }

  return function findSample(holder: Located, examples: unknown[], isStrict = false): Sample {
    const schema = locate(description, holder, 'schema')
    let violation: string | undefined
    const candidates = isStrict ? examples : candidatesFor(description, schema, examples)
    for (const value of candidates) {
      if (value === undefined) continue
      const found = schema && violationOf(schema, value)
      if (found === undefined) return { value }
      violation ??= found
    }
    return { violation: violation ?? 'no value for it is known' }
  }
}

function* candidatesFor(
  { components, paths }: Description,
  schema: Located | undefined,
  examples: readonly unknown[],
): Generator<unknown> {
  yield* examples
  if (schema === undefined) return
  const own = schema.node['examples']
  if (Array.isArray(own)) yield* own
  // The faker merges what stands beside a `$ref`, so the reference is in a property.
  const properties = { value: { $ref: `#${schema.pointer}` } }
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

// The most complete values first, then smaller ones: a schema may refer to itself.
const attempts: readonly GenerateSyncOptions[] = [
  { useExamplesValue: true, alwaysFakeOptionals: true, filterExampleDefaults: false },
  { alwaysFakeOptionals: true },
  { optionalsProbability: 0.5 },
  { optionalsProbability: 0, refDepth: 1 },
]
const seeds = [1, 2, 3, 4, 5]
