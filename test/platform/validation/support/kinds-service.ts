import { toList, toObject } from '../../../../server/description/json.ts'
import { startServiceOf } from '../../../helpers/service.ts'
import { schemas } from './schema-kinds.ts'
import { createSmallApi, type SmallOperation } from './small-api.ts'

export const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

/** Starts a service on operations, with the schemas that the kinds refer to; returns a function that sends it requests, below the base path. */
export async function startKinds(served: readonly SmallOperation[]) {
  const { send, baseUrl, origin } = await startServiceOf(createSmallApi(served, schemas))
  const base = baseUrl.slice(origin.length)
  return async (path: string, init?: Parameters<typeof send>[1]) => {
    const response = await send(base + path, init)
    return { status: response.status, body: await response.json() }
  }
}

/** Returns the places that an error names. */
export function pathsOf(body: unknown): readonly unknown[] {
  const details = toList(toObject(body)['details'])
  return [...new Set(details.map((detail) => toObject(detail)['path']))]
}
