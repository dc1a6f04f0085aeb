import type { CallableHandler } from '../../../../server/contract/handler.ts'
import type { JsonObject } from '../../../../server/description/json.ts'
import type { Api } from '../../../../server/served-api.ts'
import { bundleBesidePlatform, toApi } from '../../../helpers/compiled-api.ts'

/** The security of a description: its schemes, what is usual, and what each path requires for itself. */
export interface DescribedSecurity {
  readonly securitySchemes: JsonObject
  readonly security?: readonly JsonObject[]
  /** The security requirements of GET on each path; undefined for the usual ones. */
  readonly paths: Readonly<Record<string, readonly JsonObject[] | undefined>>
  /** The parameters of every operation. */
  readonly parameters?: readonly JsonObject[]
  readonly createAuthenticators: Api['createAuthenticators']
}

const ok = {
  description: 'Who calls.',
  content: { 'application/json': { schema: { type: 'object' } } },
}

/** Responds with what a handler knows of the caller, and of the request without its credentials. */
const showCaller: CallableHandler = (values, { caller, callerId, fingerprint, hrefWith }) => {
  const scopes = caller?.scopes === undefined ? null : [...caller.scopes]
  const known = { callerId: callerId ?? null, scopes, claims: caller?.claims ?? null }
  const body = {
    ...known,
    query: values.query,
    href: hrefWith(values.query),
    fingerprint: fingerprint(''),
  }
  return { status: 200, body }
}

/** Returns an API with a GET on each path, compiled beside the platform's file as that of a project is. */
export async function createDescribedApi(described: DescribedSecurity): Promise<Api> {
  const { securitySchemes, security, paths, parameters = [], createAuthenticators } = described
  const operations = Object.entries(paths).map(([path, own], index) => {
    const get = { operationId: `get${index}`, parameters, responses: { 200: ok } }
    return [path, { get: own === undefined ? get : { ...get, security: own } }] as const
  })
  const bundled = await bundleBesidePlatform({
    openapi: '3.1.0',
    info: { title: 'A', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    ...(security && { security }),
    paths: Object.fromEntries(operations),
    components: { securitySchemes },
  })
  return { ...toApi(bundled, showCaller), createAuthenticators }
}
