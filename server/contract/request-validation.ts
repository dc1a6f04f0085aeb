import type { Request, RequestHandler, Response } from 'express'
import { type Description, fieldNamesOf, isObject } from './description.ts'
import { boundEcho, explain, toDetails, withoutDuplicates } from './details.ts'
import { type ApiError, type Detail, invalidRequest, mostDetails } from './errors.ts'
import type { MessageSchemas, RequestValues } from './message-schemas.ts'
import { mountOpenApiValidator } from './openapi-validator.ts'
import type { Operation, Parameter } from './operation.ts'
import { inLowerCase, type Rows, readParameters, type SentParameters } from './parameters.ts'

export interface RequestValidationOptions {
  readonly description: Description
  readonly basePath: string
  readonly schemas: MessageSchemas
}

/**
 * Returns the middleware that validates parameters and body, and puts their values into the context.
 *
 * A request whose parameters are declared, sent once and of simple types is accepted by one schema, with
 * Ajv. Every other one goes to express-openapi-validator, and is accepted only if the schema accepts its
 * values, too.
 */
export function validateRequests(options: RequestValidationOptions): RequestHandler {
  const { description, basePath, schemas } = options
  const fieldNames = fieldNamesOf(description)
  const runOpenApiValidator = mountOpenApiValidator(description, basePath)

  async function validateFully(
    operation: Operation,
    request: Request,
    response: Response,
    sent: SentParameters,
  ): Promise<RequestValues> {
    const error = await runOpenApiValidator(operation, request, response, sent)
    const values = convertedValues(operation, request, sent)
    const validate = schemas.request(operation)
    const found = validate(values) ? detailsOf(error) : toDetails(validate.errors)
    const known = new Set(sent.details.map(({ path }) => path))
    const others = found.filter(({ path }) => !known.has(path))
    const details = withoutDuplicates([...sent.details, ...others])
    if (details.length > 0) throw toError(operation, request.body, details)
    if (error !== undefined) throw error
    return values
  }

  function toError(
    operation: Operation,
    body: unknown,
    details: readonly Detail[],
    count = details.length,
  ): ApiError {
    const isKnown = (name: string) => fieldNames.has(name) || isParameter(operation, name)
    return invalidRequest(boundEcho(details, body, isKnown), count)
  }

  return function validateRequest(request, response, next) {
    const { locals } = response
    const { operation } = locals
    if (operation === undefined) throw new Error('The request has no operation.')
    const sent = readParameters(operation, request, locals)
    const values = simpleValues(operation, sent, request.body)
    const validate = values ? schemas.request(operation) : schemas.requestBody(operation)
    const isValid = validate(values ?? { body: request.body })
    if (isValid && values !== undefined) {
      locals.values = withDeclaredNames(operation, values)
      return next()
    }
    const errors = validate.errors ?? []
    // Above the number of errors that are listed, the validator would find no more, slowly.
    if (errors.length > mostDetails) {
      const details = [...sent.details, ...toDetails(errors.slice(0, mostDetails))]
      throw toError(operation, request.body, details, sent.details.length + errors.length)
    }
    return validateFully(operation, request, response, sent).then((validated) => {
      locals.values = withDeclaredNames(operation, validated)
      next()
    })
  }
}

/**
 * Converts the parameters of a request; returns undefined if one is not declared, repeated or not of a
 * simple type (string, integer, number, boolean).
 */
function simpleValues(
  { parameters }: Operation,
  sent: SentParameters,
  body: unknown,
): RequestValues | undefined {
  if (sent.details.length > 0) return undefined
  const path = convert(sent.path, parameters.path)
  const query = convert(sent.query, parameters.query)
  const headers = convert(sent.headers, inLowerCase(parameters.header))
  const cookies = convert(sent.cookies, parameters.cookie)
  return path && query && headers && cookies && { path, query, headers, cookies, body }
}

type Texts = Readonly<Record<string, string | readonly string[]>>
type Values = Record<string, unknown>

/** Converts texts to the types of their parameters, and fills in defaults. */
function convert(texts: Texts, rows: Rows): Values | undefined {
  const values: Values = {}
  for (const name in texts) if (!Object.hasOwn(rows, name)) return undefined
  for (const name in rows) {
    const text = texts[name]
    const value = text === undefined ? copy(rows[name]?.default) : toValue(text, rows[name]?.type)
    if (value !== undefined) values[name] = value
    else if (text !== undefined) return undefined
  }
  return values
}

// A handler may change what it gets.
function copy(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value
}

function toValue(text: string | readonly string[], type: Parameter['type']): unknown {
  if (typeof text !== 'string') return undefined
  if (type === 'string') return text
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return undefined
}

/** Returns the values that express-openapi-validator has converted the texts of a request to. */
function convertedValues(
  { parameters }: Operation,
  request: Request,
  sent: SentParameters,
): RequestValues {
  const found: unknown = Reflect.get(request, 'openapi')
  const pathParameters = isObject(found) ? found['pathParams'] : undefined
  const headers: Values = {}
  for (const name of Object.keys(inLowerCase(parameters.header))) {
    if (request.headers[name] !== undefined) headers[name] = request.headers[name]
  }
  return {
    path: isObject(pathParameters) ? pathParameters : sent.path,
    query: request.query,
    headers,
    // It converts a copy of the cookies.
    cookies: convert(sent.cookies, parameters.cookie) ?? sent.cookies,
    body: request.body,
  }
}

// Handlers know headers by the names that the description gives them.
function withDeclaredNames({ parameters }: Operation, values: RequestValues): RequestValues {
  const headers: Values = {}
  for (const name in parameters.header) {
    const value = values.headers[name.toLowerCase()]
    if (value !== undefined) headers[name] = value
  }
  return { ...values, headers }
}

function isParameter({ parameters }: Operation, name: string): boolean {
  const { path, query, header, cookie } = parameters
  const tables = [path, query, header, inLowerCase(header), cookie]
  return tables.some((rows) => Object.hasOwn(rows, name))
}

/** Converts what express-openapi-validator alone rejects; throws an error that is not about the request. */
function detailsOf(error: unknown): Detail[] {
  if (error === undefined) return []
  const { status, errors } = isObject(error) ? error : {}
  if (status !== 400 || !Array.isArray(errors)) throw error
  return errors.filter(isObject).map(({ path, message, errorCode }) => {
    const [keyword = ''] = String(errorCode).split('.', 1)
    const pointer = String(path).replace(/^\/params(?=\/|$)/, '/path')
    return { path: pointer, message: explain(keyword, String(message)) }
  })
}
