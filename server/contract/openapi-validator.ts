import type { Request, RequestHandler, Response } from 'express'
import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  locate,
  rootOf,
} from './description.ts'
import type { Operation } from './operation.ts'
import type { ReadParameters } from './request/parameters.ts'

/** Runs express-openapi-validator on a request; resolves with its error if it rejects the request. */
export type RunValidator = (
  operation: Operation,
  request: Request,
  response: Response,
  sent: ReadParameters,
) => Promise<unknown>

/** Mounts express-openapi-validator, which is loaded for the first request that needs it. */
export function mountOpenApiValidator(description: Description, basePath: string): RunValidator {
  let loaded: Promise<RequestHandler[]> | undefined

  async function load(): Promise<RequestHandler[]> {
    const { middleware } = await import('express-openapi-validator')
    return middleware({
      apiSpec: toApiSpec(description, basePath) as never,
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
      validateResponses: false,
      // API keys are checked before.
      validateSecurity: false,
      fileUploader: false,
    })
  }

  return async function run(operation, request, response, sent) {
    // A load that fails is tried again for the next request.
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    const handlers = await loaded
    const { method, originalUrl } = request
    // HEAD may be sent wherever GET is declared, and the validator does not know that.
    request.method = operation.method.toUpperCase()
    // It would stop at the first reserved character of the query.
    request.originalUrl = originalUrl.replace(/\?.*/s, '')
    try {
      prepare(request, sent)
      for (const handler of handlers) await call(handler, request, response)
      return undefined
    } catch (error) {
      return error
    } finally {
      Object.assign(request, { method, originalUrl })
    }
  }
}

// Names that are not declared and values that are repeated have been removed: the validator stops at
// the first one.
function prepare(request: Request, { query, cookies, headers }: ReadParameters): void {
  Object.defineProperty(request, 'query', { value: query, configurable: true, writable: true })
  request.cookies = cookies
  Object.assign(request.headers, headers)
}

function call(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    Promise.resolve(handler(request, response, next)).catch(reject)
  })
}

/** Returns the description with the base path as its only server, in a form that the validator reads. */
function toApiSpec(description: Description, basePath: string): JsonObject {
  const paths = locate(description, rootOf(description), 'paths')?.node ?? {}
  return structuredClone({
    ...description,
    servers: [{ url: basePath === '' ? '/' : basePath }],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, withOptionalBodies(description, item)]),
    ),
  })
}

// It takes a body for optional only if `required: false` is written out.
function withOptionalBodies(description: Description, item: Json | undefined): Json | undefined {
  if (!isObject(item)) return item
  return Object.fromEntries(
    Object.entries(item).map(([name, operation]) => {
      if (!isObject(operation)) return [name, operation]
      const body = locate(description, { node: operation, pointer: '' }, 'requestBody')?.node
      if (body === undefined) return [name, operation]
      return [name, { ...operation, requestBody: { required: false, ...body } }]
    }),
  )
}
