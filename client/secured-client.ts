import { createMethods, type Operations } from './client.ts'
import {
  type Combination,
  type CredentialsOf,
  chooseSchemes,
  type GivenCredentials,
  toCredentials,
} from './credentials.ts'
import type { ApiErrorClass } from './errors.ts'
import type { Operation } from './operation.ts'
import {
  type CommonOptions,
  type Config,
  type Credentials,
  checkedApart,
  checkName,
  commonRules,
  readOptions,
  toConfig,
} from './options.ts'
import { isRecord } from './record.ts'

/** The options of a client of an API whose operations have security schemes of several kinds, or none. */
export interface SecuredClientOptions<Calls> extends CommonOptions {
  /**
   * The credentials by the names of security schemes: a token or a key, a user name with a password, or a
   * function that returns one, which is called for every attempt. Each call sends those that its operation
   * requires.
   */
  readonly credentials: CredentialsOf<Calls>
}

/** An operation that says what it requires. */
type SecuredOperation = Operation & Required<Pick<Operation, 'security'>>

/**
 * Creates a client of an API, with a method for each of its operations and the class of its errors, which
 * sends the credentials that each operation requires; throws a `TypeError` when an option is unknown or
 * invalid.
 */
export function createSecuredClient<Client, Calls extends Operations<Client, SecuredOperation>>(
  options: SecuredClientOptions<Calls>,
  operations: Calls,
  ErrorClass: ApiErrorClass,
): Client {
  const rules = { ...commonRules, credentials: checkedApart }
  const { credentials, ...common } = readOptions('The client', options, rules)
  const rows = Object.entries<SecuredOperation>(operations)
  const givenCredentials = readGiven(credentials, rows)

  const config: Config = toConfig(common, ErrorClass, async (called, request) => {
    const calledRow =
      called === undefined
        ? findCalled(rows, config.baseUrl, request)
        : rows.find(([, row]) => row === called)
    const [operationId, { security }] = calledRow ?? ['raw', { security: [] }]
    return readCredentials(chooseSchemes(operationId, security, givenCredentials), givenCredentials)
  })
  return createMethods<Client>(config, operations)
}

/** Checks credentials that are no functions; throws a `TypeError` that does not contain them. */
function readGiven(
  credentials: unknown,
  rows: readonly (readonly [string, SecuredOperation])[],
): GivenCredentials {
  if (!isRecord(credentials)) {
    throw new TypeError('credentials must be an object: credentials by security schemes.')
  }

  const combinations = rows.flatMap(([, { security }]) => security)
  const schemes = new Map(combinations.flatMap((combination) => Object.entries(combination)))
  for (const [name, value] of Object.entries(credentials)) {
    const scheme = schemes.get(name)
    if (scheme === undefined) {
      checkName('The client', 'security scheme', name, [...schemes.keys()])
    } else if (value !== undefined && typeof value !== 'function') {
      toCredentials(name, scheme, value)
    }
  }
  return credentials as GivenCredentials
}

/** Reads the credentials of some schemes, to send them together. */
async function readCredentials(
  schemes: Combination,
  givenCredentials: GivenCredentials,
): Promise<Credentials> {
  const reading = Object.entries(schemes).map(async ([name, scheme]) => {
    const source = givenCredentials[name]
    const value = typeof source === 'function' ? await source() : source
    return toCredentials(name, scheme, value)
  })
  const credentials = await Promise.all(reading)

  return {
    secrets: credentials.flatMap(({ secrets }) => secrets),
    async addTo(request) {
      let withCredentials = request
      for (const { addTo } of credentials) {
        withCredentials = await addTo(withCredentials)
      }
      return withCredentials
    },
  }
}

/** Returns the operation of a request of `raw`, with its name; undefined if there is none. */
function findCalled(
  rows: readonly (readonly [string, SecuredOperation])[],
  baseUrl: string,
  request: Request,
) {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  const { pathname } = new URL(request.url)
  const matching = rows.filter(([, { method, path }]) => {
    return method === request.method.toLowerCase() && toPattern(base + path).test(pathname)
  })
  // A concrete path comes before one with parameters (OpenAPI, "Path Templating Matching").
  return matching.find(([, { path }]) => !path.includes('{')) ?? matching[0]
}

/** Returns a pattern of the paths that a template stands for. */
function toPattern(template: string): RegExp {
  const literals = template.split(/\{[^{}]+\}/).map((text) => {
    return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${literals.join('[^/]+')}$`)
}
