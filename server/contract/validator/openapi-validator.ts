import type { Request } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import {
  type Description,
  isObject,
  type JsonObject,
  locate,
  rootOf,
} from '../description/description.ts'
import { fieldNamesOf } from '../description/field-names.ts'
import type { Operation } from '../description/operation.ts'
import { type RequestParts, run, toRequest, toResponse } from './openapi-stand-ins.ts'

type ApiSpec = Parameters<OpenAPISchemaValidator['validate']>[0]

/** A request's values after coercion, with the contract's defaults filled in. */
export interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly cookies: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** One operation's checks: each resolves, or rejects with the validator's own error. */
export interface OpenApiChecks {
  /** The names that the description gives to fields. */
  readonly fieldNames: ReadonlySet<string>
  readonly request: (parts: RequestParts) => Promise<RequestValues>
  readonly response: (status: number, body: unknown) => Promise<void>
}

/**
 * Runs express-openapi-validator for one operation, away from the live request.
 *
 * Its description is cut down to the operation, because it tries every path of its description on
 * every request. Its request is made of decoded parts alone, because its caches are keyed by the
 * raw `Content-Type` and it writes into what it is given.
 */
function createOpenApiChecks(
  description: Description,
  basePath: string,
  operation: Operation,
): OpenApiChecks {
  const middlewares = OpenApiValidator.middleware({
    apiSpec: cutDown(description, basePath, operation),
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
    validateResponses: { allErrors: true },
    validateSecurity: { handlers: securityHandlers(description) },
    fileUploader: false,
  })
  // It wraps `res.json` last of all.
  const requestSteps = middlewares.slice(0, -1)
  const responseSteps = [...middlewares.slice(0, 2), ...middlewares.slice(-1)]
  const sample = { ...anyParts, path: basePath + operation.path.replaceAll(/\{[^{}]+\}/g, '0') }
  return {
    fieldNames: fieldNamesOf(description),
    async request(parts) {
      const request = toRequest(operation.method, parts)
      await run(requestSteps, request, toResponse(200))
      const { params, query, headers, cookies, body } = request
      return { path: params, query, headers, cookies, body }
    },
    async response(status, body) {
      const response = toResponse(status)
      const failure = Promise.withResolvers<void>()
      await run(responseSteps, toRequest(operation.method, sample), response, failure.reject)
      response.json(body)
      failure.resolve()
      return failure.promise
    },
  }
}

const made = new WeakMap<Description, Map<Operation, OpenApiChecks>>()

/** The checks of an operation; they are made when they are first asked for, and kept. */
export function openApiChecksOf(
  description: Description,
  basePath: string,
  operation: Operation,
): OpenApiChecks {
  const ofDescription = made.get(description) ?? new Map<Operation, OpenApiChecks>()
  const checks =
    ofDescription.get(operation) ?? createOpenApiChecks(description, basePath, operation)
  made.set(description, ofDescription.set(operation, checks))
  return checks
}

const anyParts: RequestParts = {
  path: '/',
  query: {},
  headers: {},
  cookies: {},
  mediaType: undefined,
  body: undefined,
  authenticated: true,
}

/** Where a description is not valid OpenAPI, as the OpenAPI Initiative's own schema sees it. */
export function descriptionFaults(description: Description): string[] {
  const version = String(description['openapi'])
  const validator = new OpenAPISchemaValidator({ version, validateApiSpec: true })
  const { errors } = validator.validate(toApiSpec(description))
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
}

function cutDown(description: Description, basePath: string, operation: Operation): ApiSpec {
  const item = locate(description, rootOf(description), 'paths', operation.path)?.node ?? {}
  const { parameters = [], [operation.method]: own } = item
  return toApiSpec({
    openapi: description['openapi'],
    info: description['info'],
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: description['security'] ?? [],
    paths: { [operation.path]: { parameters, [operation.method]: own } },
    components: description['components'] ?? {},
  })
}

function toApiSpec(document: JsonObject): ApiSpec {
  if (isApiSpec(document)) return document
  throw new Error('The description is no OpenAPI 3.0 or 3.1 document.')
}

function isApiSpec(document: unknown): document is ApiSpec {
  return isObject(document) && /^3\.[01]\./.test(String(document['openapi']))
}

/** The names of the security schemes that a description defines. */
export function securitySchemeNames(description: Description): string[] {
  const schemes = locate(description, rootOf(description), 'components', 'securitySchemes')
  return Object.keys(schemes?.node ?? {})
}

// Keys were checked before the validator runs; it makes sure that this was not forgotten.
function securityHandlers(description: Description) {
  const handler = (request: Request): boolean => request.app.locals['authenticated'] === true
  return Object.fromEntries(securitySchemeNames(description).map((name) => [name, handler]))
}
