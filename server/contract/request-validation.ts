import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { createCompiler } from './ajv.ts'
import { maxErrorsOfLoop } from './bounded-errors.ts'
import {
  type Description,
  follow,
  isObject,
  type Json,
  namesIn,
  type OperationObject,
  operationObject,
  requestSchema,
} from './description.ts'
import { toDetails, truncateDetails } from './details.ts'
import { type Detail, invalidRequest } from './errors.ts'
import type { Operation } from './operation.ts'
import { type RequestValues, readParameters, type SentParameters } from './parameters.ts'

/** A request that the schema alone does not accept. */
interface UndecidedRequest {
  readonly request: Request
  readonly response: Response
  readonly operation: Operation
  readonly sent: SentParameters
  readonly body: unknown
  /** What the schema finds wrong with the values of the request. */
  readonly errors: readonly ErrorObject[]
}

/**
 * Returns a function that creates the middleware of an operation that validates parameters and body, and
 * puts their values into the context.
 *
 * A request whose parameters are declared and in the form of their type is accepted if one schema accepts
 * it, with Ajv. Every other one goes to express-openapi-validator, and is accepted only if the schema accepts
 * its values, too.
 */
export function createRequestValidation(
  description: Description,
  operations: readonly Operation[],
) {
  const compile = createCompiler(description, 'request')
  const knownNames = namesIn(description)
  const runOpenApiValidator = mountOpenApiValidator(description, operations)

  /** Decides on a request with express-openapi-validator; throws what is wrong with it, if anything is. */
  async function decide(undecided: UndecidedRequest): Promise<void> {
    const { request, sent, body, errors } = undecided
    // On a body with thousands of errors, express-openapi-validator takes quadratic time, and finds
    // nothing that the schema has not found.
    const isBodyRejected = errors.some(({ instancePath }) => isInBody(instancePath))
    if (body === undefined || isBodyRejected) request.body = {}
    const error = await runOpenApiValidator(undecided)
    const found = errors.length === 0 ? detailsOf(error, body) : toDetails(errors)
    const reported = new Set(sent.details.map(({ path }) => path))
    const details = [...sent.details, ...found.filter(({ path }) => !reported.has(path))]
    if (details.length === 0) return
    const isComplete = errors.length < maxErrorsOfLoop
    throw invalidRequest(truncateDetails(details, knownNames), details.length, isComplete)
  }

  return function validationOf(operation: Operation): RequestHandler {
    const { mediaTypes: [usual] = [] } = operation.requestBody ?? {}
    /** The compiled schemas by the media type of the body. */
    const compiled = new Map<string | undefined, ValidateFunction>()
    return async function validateRequest(request, response, next) {
      const { body } = request
      const { mediaType } = response.locals
      // Without a body, it does not matter which schema of a body there is.
      const type = mediaType ?? usual
      const validate = compiled.getOrInsertComputed(type, () =>
        compile(requestSchema(description, operation, type)),
      )
      const sent = readParameters(operation, request, response.locals)
      const values = { ...valuesOf(sent), mediaType, body }
      const isAccepted = validate(values) && sent.details.length === 0
      if (!isAccepted) {
        const errors = validate.errors ?? []
        await decide({ request, response, operation, sent, body, errors })
      }
      response.locals.values = values
      next()
    }
  }
}

function isInBody(pointer: string): boolean {
  return pointer === '/body' || pointer.startsWith('/body/')
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
      const adapted = parameters.map((one) => adaptParameter(description, one))
      const own = { parameters: adapted, requestBody }
      return [ownPath(operation, quote), { [operation.method]: own }]
    })
    const spec = { ...description, paths: Object.fromEntries(paths), servers: [] }
    const adapt = (key: string, given: Json | undefined) => {
      // It resolves references to components alone.
      const isElsewhere = isObject(given) && /^#\/(?!components\/)/.test(String(given['$ref']))
      const value = isElsewhere ? follow(description, given) : given
      // `uniqueItems` takes it quadratic time, and it loses members for `unevaluated…`: the schema validates both.
      if (key === 'uniqueItems' && value === true) return undefined
      return key === 'unevaluatedProperties' || key === 'unevaluatedItems' ? true : value
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

  return async function run(undecided: UndecidedRequest): Promise<unknown> {
    const { request, response, operation, sent } = undecided
    loaded ??= load()
    const validator = await loaded
    const { method, originalUrl } = request
    // HEAD may be sent wherever GET is declared, and the validator does not know that.
    request.method = operation.method.toUpperCase()
    // Without the query, in which it would stop at the first reserved character. A path parameter without
    // a text has been reported.
    const print = (name: string) => encodeURIComponent(String(sent.path.texts[name] ?? '-'))
    request.originalUrl = ownPath(operation, print)
    // Names that are not declared and values that are repeated have been removed: it stops at the first.
    const texts = Object.entries(sent.query.texts).map(([name, text]) => [hideBracket(name), text])
    Object.defineProperty(request, 'query', {
      // It takes a parameter that is not sent, such as `constructor`, from what objects inherit.
      value: Object.assign(Object.create(null), Object.fromEntries(texts)),
      configurable: true,
      writable: true,
    })
    request.cookies = sent.cookies.texts
    for (const [name, text] of Object.entries(sent.headers.texts)) {
      Object.assign(request.headers, { [name.toLowerCase()]: text })
    }
    // The validator caches a function for each media type that is sent, with its parameters, and takes a
    // missing one for a wrong one.
    const { mediaType = operation.requestBody?.mediaTypes[0] } = response.locals
    Object.assign(request.headers, { 'content-type': mediaType })
    const error = await new Promise((resolve) => validator(request, response, resolve))
    Object.assign(request, { method, originalUrl })
    return error
  }
}

/** Returns a parameter with what express-openapi-validator has to be told. */
function adaptParameter(
  description: Description,
  { schema, ...others }: OperationObject['parameters'][number],
): object {
  // It follows one reference alone, and only to a whole component.
  const parameter = { ...others, schema: follow(description, schema) }
  // It knows the default styles of path and query alone.
  if (parameter.in === 'header') return { style: 'simple', ...parameter }
  if (parameter.in === 'cookie') return { style: 'form', ...parameter }
  if (parameter.in === 'query') {
    // It would split items after they are decoded, so it gets them apart.
    return { ...parameter, name: hideBracket(parameter.name), style: 'form', explode: true }
  }
  return parameter
}

/** Encodes the bracket in a name: the validator takes `page[size]` for a member of an object `page`. */
function hideBracket(name: string): string {
  return name.replaceAll('[', '%5B')
}

function showBracket(name: string): string {
  return name.replaceAll('%5B', '[')
}

function valuesOf({
  path,
  query,
  headers,
  cookies,
}: SentParameters): Omit<RequestValues, 'mediaType' | 'body'> {
  return {
    path: path.values,
    query: query.values,
    headers: headers.values,
    cookies: cookies.values,
  }
}

/** Returns the details of an error of the validator; throws an error that is not about the request. */
function detailsOf(error: unknown, body: unknown): Detail[] {
  if (error === undefined) return []
  const { status, errors } = isObject(error) ? error : {}
  if (status !== 400 || !Array.isArray(errors)) throw error
  const details = errors.filter(isObject).map(({ path, message }) => {
    const at = String(path).replace(/^\/params\b/, '/path')
    return { path: at.replace(/^\/query\/.*/s, showBracket), message: String(message) }
  })
  // It validates a body that was not sent as an empty one.
  return details.filter(
    ({ path }) => body !== undefined || /^\/(?:path|query|headers|cookies)\//.test(path),
  )
}
