import type { Request } from 'express'
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import type { Description } from '../description/description.ts'
import { fieldNamesOf } from '../description/field-names.ts'
import type { Operation } from '../description/operation.ts'
import { securitySchemeNames } from '../description/security-schemes.ts'
import { cutDown, toApiSpec } from './api-spec.ts'
import { installMiddleware } from './middleware.ts'
import { type RequestParts, run, toRequest, toResponse } from './openapi-stand-ins.ts'

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
  /** Checks a body by itself, as if everything else about its request were in order. */
  readonly body: (mediaType: string | undefined, body: unknown) => Promise<void>
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
  const apiSpec = cutDown(description, basePath, operation)
  const middlewares = installMiddleware(apiSpec, basePath, {
    validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
    validateResponses: { allErrors: true },
    validateSecurity: { handlers: securityHandlers(description) },
    fileUploader: false,
  })
  // It wraps `res.json` last of all.
  const requestSteps = middlewares.slice(0, -1)
  const responseSteps = [...middlewares.slice(0, 2), ...middlewares.slice(-1)]
  const sample = { ...anyParts, path: basePath + operation.path.replaceAll(/\{[^{}]+\}/g, '0') }
  // What the first steps find out is the same for every body.
  let found: Promise<unknown> | undefined
  const findOperation = async (): Promise<unknown> => {
    const request = toRequest(operation.method, sample)
    await run(middlewares.slice(0, 2), request, toResponse(200))
    return Reflect.get(request, 'openapi')
  }
  return {
    fieldNames: fieldNamesOf(description),
    async request(parts) {
      const request = toRequest(operation.method, parts)
      await run(requestSteps, request, toResponse(200))
      const { params, query, headers, cookies, body } = request
      return { path: params, query, headers, cookies, body }
    },
    async body(mediaType, body) {
      const request = toRequest(operation.method, { ...sample, mediaType, body })
      found ??= findOperation()
      Object.assign(request, { openapi: await found })
      await run(requestSteps.slice(-1), request, toResponse(200))
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

// Keys were checked before the validator runs; it makes sure that this was not forgotten.
function securityHandlers(description: Description) {
  const handler = (request: Request): boolean => request.app.locals['authenticated'] === true
  return Object.fromEntries(securitySchemeNames(description).map((name) => [name, handler]))
}
