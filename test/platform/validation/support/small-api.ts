import { readBasePath, readOperations } from '../../../../scripts/pipeline/operations.ts'
import type { CallableHandler, sampled } from '../../../../server/contract/handler.ts'
import type { Operation } from '../../../../server/contract/operation.ts'
import { readBundled } from '../../../../server/description/description-reader.ts'
import { type JsonObject, toObject } from '../../../../server/description/json.ts'
import type { Settings } from '../../../../server/description/settings.ts'
import type { Api } from '../../../../server/served-api.ts'
import { fixtureApi } from '../../../fixture-api/fixture-api.ts'
import description from '../../../fixture-api/generated/openapi.json' with { type: 'json' }

/** An operation of a small API: what its description adds to the usual responses, and its handler. */
export interface SmallOperation {
  readonly method: string
  readonly path: string
  /** Whether it has no operationId. */
  readonly isUnnamed?: boolean
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  /** Its 200. */
  readonly response?: JsonObject
  /** Its responses, in place of a 200. */
  readonly responses?: Readonly<Record<string, JsonObject>>
  readonly servers?: readonly object[]
  readonly security?: readonly object[]
  readonly handler: CallableHandler | typeof sampled
}

const { 201: created, 409: _, 422: __, ...errors } = description.paths['/tools'].post.responses
const { 'Idempotent-Replayed': ___, ...headers } = created.headers

/** Returns an API with some operations and schemas, and the error responses of the fixture API. */
export function createSmallApi(
  operations: readonly SmallOperation[],
  schemas: object,
  server: string | readonly object[] = '/v1',
  openapi = '3.1.0',
  settings: Settings = {},
): Api {
  const named = operations.map((operation, index) => {
    const { method, path, isUnnamed = false } = operation
    const name = isUnnamed ? `${method.toUpperCase()} ${path}` : `operation${index}`
    return [name, operation] as const
  })
  const paths: Record<string, Record<string, object>> = {}
  for (const [
    name,
    { method, path, isUnnamed = false, response = {}, responses: own, handler: _, ...others },
  ] of named) {
    const declared = Object.entries(own ?? { 200: response }).map(([status, each]) => {
      const usual = { description: 'A response.', ...each }
      return [status, { ...usual, headers: { ...headers, ...toObject(each['headers']) } }] as const
    })
    const responses = { ...errors, ...Object.fromEntries(declared) }
    const operation = { ...(isUnnamed ? {} : { operationId: name }), ...others, responses }
    paths[path] = { ...paths[path], [method]: operation }
  }
  const { components } = description
  const document: JsonObject = JSON.parse(
    JSON.stringify({
      ...description,
      openapi,
      servers: typeof server === 'string' ? [{ url: server }] : server,
      paths,
      components: { ...components, schemas: { ...components.schemas, ...schemas } },
    }),
  )
  const model = readBundled(document)
  const table: Readonly<Record<string, Operation>> = JSON.parse(
    JSON.stringify(readOperations(model, settings)),
  )
  const handlers = named.map(([name, { handler }]) => [name, handler] as const)
  return {
    ...fixtureApi,
    description: document,
    operations: table,
    basePath: readBasePath(model),
    settings,
    createHandlers: () => Object.fromEntries(handlers),
  }
}
