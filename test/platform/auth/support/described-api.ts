import type { CallableHandler } from '../../../../server/contract/handler.ts'
import type { JsonObject } from '../../../../server/description/json.ts'
import type { Api } from '../../../../server/served-api.ts'
import { bundleBesidePlatform, toApi } from '../../../helpers/compiled-api.ts'

/** The security of a description: its schemes, what is usual, and what each path requires for itself. */
export interface DescribedSecurity {
  readonly securitySchemes: JsonObject
  readonly security?: readonly JsonObject[]
  /** The security requirements of each path, which has one method; undefined for the usual ones. */
  readonly paths: Readonly<Record<string, readonly JsonObject[] | undefined>>
  /** The methods that paths have, if not GET. */
  readonly methods?: Readonly<Record<string, string>>
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

/** Returns an API with an operation on each path, compiled beside the platform's file as that of a project is. */
export async function createDescribedApi(described: DescribedSecurity): Promise<Api> {
  const {
    securitySchemes,
    security,
    paths,
    methods = {},
    parameters = [],
    createAuthenticators,
  } = described
  const operations = Object.entries(paths).map(([path, own], index) => {
    const usual = { operationId: `call${index}`, parameters, responses: { 200: ok } }
    const operation = own === undefined ? usual : { ...usual, security: own }
    return [path, { [methods[path] ?? 'get']: operation }] as const
  })
  const bundled = await bundleBesidePlatform({
    openapi: '3.2.0',
    info: { title: 'A', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    ...(security && { security }),
    paths: Object.fromEntries(operations),
    components: { securitySchemes },
  })
  return toApi(bundled, () => showCaller, createAuthenticators)
}
