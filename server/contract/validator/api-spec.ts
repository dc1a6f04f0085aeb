import type { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  locate,
  rootOf,
} from '../description/description.ts'
import type { Operation } from '../description/operation.ts'

/** A description as express-openapi-validator takes it. */
export type ApiSpec = Parameters<OpenAPISchemaValidator['validate']>[0]

/** A description with nothing in it but what concerns one operation. */
export function cutDown(description: Description, basePath: string, operation: Operation): ApiSpec {
  const item = locate(description, rootOf(description), 'paths', operation.path)?.node ?? {}
  const { parameters = [], [operation.method]: own } = item
  return toApiSpec({
    openapi: description['openapi'],
    info: description['info'],
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: description['security'] ?? [],
    paths: {
      [operation.path]: { parameters, [operation.method]: withPlainBody(description, own) },
    },
    components: description['components'] ?? {},
  })
}

// The validator knows an optional body by `required: false` alone, which is what OpenAPI takes for
// granted where nothing is said.
function withPlainBody(description: Description, operation: Json | undefined): JsonObject {
  if (!isObject(operation)) return {}
  const body = locate(description, { node: operation, pointer: '' }, 'requestBody')?.node
  return body === undefined
    ? operation
    : { ...operation, requestBody: { required: false, ...body } }
}

/** A description as the validator takes it. */
export function toApiSpec(document: JsonObject): ApiSpec {
  if (isApiSpec(document)) return document
  throw new Error('The description is no OpenAPI 3.0 or 3.1 document.')
}

function isApiSpec(document: unknown): document is ApiSpec {
  return isObject(document) && /^3\.[01]\./.test(String(document['openapi']))
}
