import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { createCompiler } from './ajv.ts'
import {
  type Description,
  follow,
  isObject,
  type Json,
  jsonTypeOf,
  namesIn,
  type OperationObject,
  operationObject,
  requestSchema,
  unescapeToken,
} from './description.ts'
import { toDetails, truncateDetails } from './details.ts'
import { ApiError, type Detail, invalidRequest } from './errors.ts'
import { json } from './headers.ts'
import { parseIJson } from './i-json.ts'
import { defaultMaxBytes, tooLarge } from './json-body.ts'
import type { Operation } from './operation.ts'
import {
  type RequestValues,
  readParameters,
  type SentLocation,
  type SentParameters,
} from './parameters.ts'

/** Rejects a request whose `Accept` header rules out JSON: 406. */
export const acceptJson: RequestHandler = function acceptsJson(request, _response, next) {
  const { accept = '*/*' } = request.headers
  // What most programs send.
  if (accept === '*/*' || accept === json) return next()
  // Some clients ask for `application/json; charset=utf-8`: only the weight of a range matters.
  const parameter = /;(?!\s*q\s*=)(?:[^,;"]|"(?:\\.|[^"\\])*"?)*/gi
  // An empty list rejects nothing (RFC 9110, section 5.6.1.2).
  request.headers.accept = accept.replaceAll(parameter, '').replace(/^[\s,]*$/, '*/*')
  if (request.accepts(json)) return next()
  const message = `The response is ${json}, which the Accept header rules out.`
  throw new ApiError({ status: 406, code: 'not_acceptable' }, message)
}

/**
 * Returns a function that creates the middleware of an operation that validates parameters and body, and
 * puts their values into the context.
 *
 * A request whose parameters are declared, sent once and of simple types is accepted by one schema, with
 * Ajv. Every other one goes to express-openapi-validator, and is accepted only if the schema accepts its
 * values, too.
 */
export function createRequestValidation(
  description: Description,
  operations: readonly Operation[],
) {
  const compile = createCompiler(description, 'request')
  const knownNames = namesIn(description)
  const runOpenApiValidator = mountOpenApiValidator(description, operations)

  return function validationOf(operation: Operation): RequestHandler {
    let compiled: ValidateFunction<RequestValues> | undefined
    return async function validateRequest(request, response, next) {
      compiled ??= compile(requestSchema(description, operation))
      const validate = compiled
      const { body } = request
      const sent = readParameters(operation, request, response.locals)
      let values = { ...valuesOf(request, sent), body }
      if (!sent.isSimple || sent.details.length > 0 || !validate(values)) {
        // Of a body with thousands of errors, the validator would find no others, slowly.
        if (body === undefined || !validate({ body })) request.body = {}
        const error = await runOpenApiValidator(request, response, operation, sent)
        values = { ...valuesOf(request, sent), body }
        const ofValidator = detailsOf(error, sent, body)
        const found = validate(values) ? ofValidator : toDetails(validate.errors)
        const known = new Set(sent.details.map(({ path }) => path))
        const details = [...sent.details, ...found.filter(({ path }) => !known.has(path))]
        if (details.length > 0) {
          throw invalidRequest(truncateDetails(details, knownNames), details.length)
        }
      }
      response.locals.values = values
      next()
    }
  }
}

/**
 * Returns the function that runs express-openapi-validator on a request and resolves with its error, if
 * it rejects the request. It is loaded for the first request that needs it.
 */
function mountOpenApiValidator(description: Description, operations: readonly Operation[]) {
  let loaded: Promise<RequestHandler> | undefined

  /** Returns a path that no other operation matches: the router has found the operation. */
  function ownPath(operation: Operation, print: (name: string) => string): string {
    const names = Object.keys(operation.parameters.path)
    return [`/${operation.operationId}`, ...names.map(print)].join('/')
  }

  async function load(): Promise<RequestHandler> {
    const { middleware } = await import('express-openapi-validator')
    // Quoted: Express ends a name without quotes at a hyphen.
    const quote = (name: string) => `{${JSON.stringify(name)}}`
    const paths = operations.map((operation) => {
      const { parameters, requestBody } = operationObject(description, operation)
      const own = { parameters: parameters.map(adaptParameter), requestBody }
      return [ownPath(operation, quote), { [operation.method]: own }]
    })
    const spec = { ...description, paths: Object.fromEntries(paths), servers: [] }
    const adapt = (key: string, given: Json | undefined) => {
      // It resolves references to components alone.
      const isInPaths = isObject(given) && String(given['$ref']).startsWith('#/paths/')
      const value = isInPaths ? follow(description, given) : given
      // `uniqueItems` takes it quadratic time, and is validated by the schema.
      if (key === 'uniqueItems' && value === true) return undefined
      // It rejects every tuple whose number of items is not fixed; the schema validates them.
      if (isObject(value) && Array.isArray(value['prefixItems'])) {
        const { prefixItems: _, items: __, ...others } = value
        return others
      }
      return value
    }
    return Router().use(
      middleware({
        apiSpec: JSON.parse(JSON.stringify(spec, adapt)),
        validateApiSpec: false,
        validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
        validateResponses: false,
        // API keys are checked before.
        validateSecurity: false,
        fileUploader: false,
      }),
    )
  }

  return async function run(
    request: Request,
    response: Response,
    operation: Operation,
    sent: SentParameters,
  ): Promise<unknown> {
    loaded ??= load()
    const validator = await loaded
    const { method, originalUrl } = request
    // HEAD may be sent wherever GET is declared, and the validator does not know that.
    request.method = operation.method.toUpperCase()
    // Without the query: it would stop at the first reserved character. What is missing is reported.
    const print = (name: string) => encodeURIComponent(String(sent.path.texts[name] ?? '-'))
    request.originalUrl = ownPath(operation, print)
    // Names that are not declared and values that are repeated have been removed: it stops at the first.
    const texts = Object.entries(sent.query.texts).map(([name, text]) => {
      // It decodes the members of an object once more.
      const isMember = !Object.hasOwn(operation.parameters.query, name)
      return isMember ? [name, encodeURIComponent(String(text))] : [hideBracket(name), text]
    })
    Object.defineProperty(request, 'query', {
      value: Object.fromEntries(texts),
      configurable: true,
      writable: true,
    })
    request.cookies = sent.cookies.texts
    for (const [name, text] of Object.entries(sent.headers.texts)) {
      Object.assign(request.headers, { [name.toLowerCase()]: text })
    }
    // The validator caches a function for each media type, and takes a missing one for a wrong one.
    const { mediaTypes = [] } = operation.requestBody ?? {}
    Object.assign(request.headers, { 'content-type': jsonTypeOf(mediaTypes) ?? mediaTypes[0] })
    const error = await new Promise((resolve) => validator(request, response, resolve))
    Object.assign(request, { method, originalUrl })
    return error
  }
}

/** Returns a parameter with what express-openapi-validator has to be told. */
function adaptParameter(parameter: OperationObject['parameters'][number]): object {
  // It knows the default styles of path and query alone, and does not split the array in a header.
  if (parameter.in === 'header') return { ...parameter, style: 'simple', explode: false }
  if (parameter.in === 'cookie') return { style: 'form', ...parameter }
  if (parameter.in === 'query') return { ...parameter, name: hideBracket(parameter.name) }
  return parameter
}

/** Encodes the bracket in a name: the validator takes `page[size]` for a member of an object `page`. */
function hideBracket(name: string): string {
  return name.replaceAll('[', '%5B')
}

function showBracket(name: string): string {
  return name.replaceAll('%5B', '[')
}

/** Returns the values of parameters; those that are not simple are as the validator has converted them. */
function valuesOf(
  request: Request & { openapi?: { pathParams?: Record<string, unknown> } },
  { path, query, headers, cookies, isSimple }: SentParameters,
): Omit<RequestValues, 'body'> {
  if (isSimple) {
    const [ofPath, ofCookies] = [path.values, cookies.values]
    return { path: ofPath, query: query.values, headers: headers.values, cookies: ofCookies }
  }
  const fields = Object.keys(headers.texts).map((name) => [
    name,
    request.headers[name.toLowerCase()],
  ])
  const ofQuery = Object.entries(request.query).map(([name, value]) => [showBracket(name), value])
  return {
    path: { ...(request.openapi?.pathParams ?? path.texts), ...path.values },
    query: {
      ...Object.fromEntries(ofQuery.filter(([name]) => isSent(query, `${name}`))),
      ...query.values,
    },
    headers: { ...Object.fromEntries(fields), ...headers.values },
    // It converts a copy of the cookies.
    cookies: { ...cookies.texts, ...cookies.values },
  }
}

/** Returns whether a parameter was sent, perhaps as members of an object, such as `filter[colour]`. */
function isSent({ texts }: SentLocation, name: string): boolean {
  return (
    Object.hasOwn(texts, name) || Object.keys(texts).some((each) => each.startsWith(`${name}[`))
  )
}

/** Returns what express-openapi-validator alone rejects; throws an error that is not about the request. */
function detailsOf(error: unknown, { query }: SentParameters, body: unknown): Detail[] {
  if (error === undefined) return []
  const { status, errors } = isObject(error) ? error : {}
  if (status !== 400 || !Array.isArray(errors)) throw error
  const details = errors.filter(isObject).map(({ path, message }) => {
    const at = String(path).replace(/^\/params\b/, '/path')
    return { path: at.replace(/^\/query\/.*/s, showBracket), message: String(message) }
  })
  // It validates an object and a body that were not sent as empty ones.
  return details.filter(({ path }) => {
    const [, location = '', name = ''] = path.split('/')
    if (location === 'query') return isSent(query, unescapeToken(name))
    return body !== undefined || /^(?:path|headers|cookies)$/.test(location)
  })
}

/** A valid body, or the details that the response to it would list. */
export type CheckedBody<Body> = { readonly body: Body } | { readonly violations: readonly Detail[] }

/** Validates bodies as the service validates those of requests to one operation. */
export class BodyChecks<Body> {
  /** The largest body, in bytes. */
  readonly maxBytes: number
  readonly #validate: ValidateFunction
  readonly #knownNames: ReadonlySet<string>
  readonly #ignored: ReadonlySet<string>

  /** Members of the names in `ignored` are dropped before a body is validated. */
  constructor(description: Description, operation: Operation, ignored: ReadonlySet<string>) {
    this.maxBytes = operation.requestBody?.maxBytes ?? defaultMaxBytes
    this.#validate = createCompiler(description, 'request')(requestSchema(description, operation))
    this.#knownNames = namesIn(description)
    this.#ignored = ignored
  }

  /** Validates a value; `Body` is the type that is generated from its schema. */
  check(sent: unknown): CheckedBody<Body> {
    const isKept = ([name]: [string, unknown]) => !this.#ignored.has(name)
    const body = isObject(sent) ? Object.fromEntries(Object.entries(sent).filter(isKept)) : sent
    if (this.#validate({ body })) return { body: body as Body }
    const details = toDetails(this.#validate.errors)
    return { violations: truncateDetails(details, this.#knownNames) }
  }

  /** Parses a text as I-JSON and validates its value. */
  read(text: Uint8Array): CheckedBody<Body> {
    const { maxBytes } = this
    if (text.length > maxBytes) {
      return { violations: [{ path: '/body', message: tooLarge(maxBytes).message }] }
    }
    try {
      return this.check(parseIJson(text))
    } catch (error) {
      if (error instanceof ApiError) return { violations: error.details }
      throw error
    }
  }
}
