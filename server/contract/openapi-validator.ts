import type { Request, RequestHandler, Response } from 'express'
import { type Description, isObject, type Json, locate, rootOf } from './description.ts'
import type { Operation } from './operation.ts'
import type { SentParameters } from './parameters.ts'

/** Runs express-openapi-validator on a request; resolves with its error if it rejects the request. */
export type RunValidator = (
  operation: Operation,
  request: Request,
  response: Response,
  sent: SentParameters,
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

  return async function run(operation, request, response, { query, cookies, headers }) {
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
    // Names that are not declared and values that are repeated have been removed: it stops at the first.
    Object.defineProperty(request, 'query', { value: query, configurable: true, writable: true })
    request.cookies = cookies
    Object.assign(request.headers, headers)
    try {
      for (const handler of handlers) await call(handler, request, response)
      return undefined
    } catch (error) {
      return error
    } finally {
      Object.assign(request, { method, originalUrl })
    }
  }
}

function call(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    Promise.resolve(handler(request, response, next)).catch(reject)
  })
}

/** Returns the description with the base path as its only server, in a form that the validator reads. */
function toApiSpec(description: Description, basePath: string): unknown {
  const paths = locate(description, rootOf(description), 'paths')?.node ?? {}
  const spec = {
    ...description,
    servers: [{ url: basePath === '' ? '/' : basePath }],
    paths: mapValues(paths, (item) =>
      mapValues(item, (operation) => withOptionalBody(description, operation)),
    ),
  }
  // `uniqueItems` takes it quadratic time, and is validated by the schema.
  const keep = (name: string, value: unknown) => !(name === 'uniqueItems' && value === true)
  return JSON.parse(
    JSON.stringify(spec, (name, value: unknown) => (keep(name, value) ? value : undefined)),
  )
}

// It takes a body for optional only if `required: false` is written out.
function withOptionalBody(description: Description, operation: Json | undefined) {
  if (!isObject(operation)) return operation
  const body = locate(description, { node: operation, pointer: '' }, 'requestBody')?.node
  if (body === undefined) return operation
  return { ...operation, requestBody: { required: false, ...body } }
}

function mapValues<To>(node: Json | undefined, map: (value: Json | undefined) => To) {
  if (!isObject(node)) return node
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, map(value)]))
}
