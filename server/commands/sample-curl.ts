import { basePath, operations, securitySchemes } from '../../generated/operations.ts'
import type { Operation } from '../contract/operation.ts'

/** What the description says of a security scheme, as far as it matters here. */
interface DescribedScheme {
  readonly type: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
}

/** The schemes of a description by name. */
type Schemes = Readonly<Record<string, DescribedScheme>>

/** How curl sends credentials: options, and parameters of the query. */
interface CurlCredentials {
  readonly options: readonly string[]
  readonly query: readonly string[]
}

/**
 * Returns a curl command for the first GET operation that needs no parameters, one with credentials if
 * there is any; undefined where every one needs parameters.
 */
export function sampleCurl(origin: string, key: string): string | undefined {
  const rows: readonly Operation[] = Object.values(operations)
  const served = rows.filter(({ unserved }) => unserved === undefined)
  const withoutParameters = served.filter(({ method, parameters }) => {
    const rows = Object.values(parameters).flatMap((ofPlace) => Object.values(ofPlace))
    return method === 'get' && !rows.some(({ required }) => required)
  })
  const secured = withoutParameters.find(({ security }) => requiredSchemes(security).length > 0)
  const simple = secured ?? withoutParameters[0]
  if (simple === undefined) {
    return undefined
  }
  return printCurl(`${origin}${basePath}${simple.path}`, simple.security, securitySchemes, key)
}

/** Returns a curl command with a key for development, which is sent as the first required schemes say. */
export function printCurl(
  url: string,
  security: Operation['security'],
  schemes: Schemes,
  key: string,
): string {
  const credentials = requiredSchemes(security).map((name) => toCredentials(schemes[name], key))
  const options = credentials.flatMap((each) => each.options)
  const query = credentials.flatMap((each) => each.query).join('&')
  const target = query === '' ? url : `'${url}?${query}'`
  return ['curl', ...options, target].join(' ')
}

/** Returns the names of the schemes of the first combination that an operation accepts. */
function requiredSchemes(security: Operation['security']): readonly string[] {
  const combinations = security.map((requirement) => Object.keys(requirement))
  return combinations.find((names) => names.length > 0) ?? []
}

function toCredentials(scheme: DescribedScheme | undefined, key: string): CurlCredentials {
  const name = scheme?.name ?? ''
  if (scheme?.type !== 'apiKey') {
    const isBasic = scheme?.scheme === 'basic'
    const option = isBasic ? `-u 'me:${key}'` : `-H 'Authorization: Bearer ${key}'`
    return { options: [option], query: [] }
  }

  if (scheme.in === 'query') {
    return { options: [], query: [`${encodeURIComponent(name)}=${key}`] }
  }
  const option = scheme.in === 'cookie' ? `-b '${name}=${key}'` : `-H '${name}: ${key}'`
  return { options: [option], query: [] }
}
