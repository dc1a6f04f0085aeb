import { createClient } from '../../../../client/client.ts'
import { ApiError } from '../../../../client/errors.ts'
import type { AnyResponse } from '../../../../server/contract/handler-response.ts'
import type { RequestValues } from '../../../../server/contract/parameters.ts'
import { readBundled } from '../../../../server/description/description-reader.ts'
import { readClientOperations } from '../../../helpers/client-operations.ts'
import { startServiceOf } from '../../../helpers/service.ts'
import { json } from './kinds-service.ts'
import { createSmallApi, type SmallOperation } from './small-api.ts'

/** A parameter of an operation of its own. */
export interface EchoedParameter {
  readonly name?: string
  /** `query` unless set. */
  readonly in?: string
  readonly [keyword: string]: unknown
}

/** Returns the values of a request as the body of a response. */
export function echo({ path, query, headers, cookies }: RequestValues): AnyResponse {
  return { status: 200, body: { path, query, headers, cookies } }
}

/**
 * Starts a service with an operation for each list of parameters, which returns their values; a parameter of the
 * path is at its end.
 */
export async function startEcho(lists: readonly (readonly EchoedParameter[])[]) {
  const operations = lists.map((parameters, index): SmallOperation => {
    const named = parameters.map(({ name = 'p', in: location = 'query', ...others }) => {
      return { name, in: location, required: location === 'path', ...others }
    })
    const inPath = named.filter((parameter) => parameter.in === 'path')
    const path = [`/e${index}`, ...inPath.map(({ name }) => `{${name}}`)].join('/')
    return { method: 'get', path, parameters: named, response: json(true), handler: echo }
  })

  const api = createSmallApi(operations, {})
  const { baseUrl, apiKey, send, origin, judgedFetch } = await startServiceOf(api)
  const base = baseUrl.slice(origin.length)
  const calls = readClientOperations(readBundled(api.description))
  const options = { baseUrl, apiKey, fetch: judgedFetch, maxRetries: 0 }
  const client = createClient<EchoClient>(options, calls, ApiError)

  return {
    /** Calls the operation at an index with the arguments of its method. */
    async call(index: number, ...given: readonly unknown[]): Promise<unknown> {
      const method = client[`operation${index}`]
      return method instanceof Function ? method(...given) : undefined
    },
    /** Sends a request to the operation at an index. */
    async get(index: number, target: string, headers: Readonly<Record<string, string>> = {}) {
      const response = await send(`${base}/e${index}${target}`, { headers })
      const body: Echoed = await response.json()
      return { status: response.status, body }
    },
  }
}

interface EchoClient {
  readonly raw: unknown
  readonly [name: string]: unknown
}

type Values = Readonly<Record<string, unknown>>

/** The values of a request, or the details of an error. */
interface Echoed {
  readonly path?: Values
  readonly query?: Values
  readonly headers?: Values
  readonly cookies?: Values
  readonly details?: unknown
}
