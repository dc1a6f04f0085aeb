import { ApiError } from '../contract/errors.ts'
import { StoreUnavailable } from '../store/errors.ts'
import type { Authentication, Caller, CredentialSource } from './authenticator.ts'
import type { AnyAuthenticators } from './authenticators.ts'
import { schemeNameOf } from './authorization-field.ts'
import { acceptedCredentials, insufficientScope, unauthorized } from './rejections.ts'
import type { RequiredScheme, Requirements } from './requirements.ts'

/** Who sends a request, and why it is rejected if it is. */
export interface Decision {
  readonly caller: Caller | undefined
  /** The credentials that the caller has, or else those that would be accepted, in a noun such as `API key`. */
  readonly credential: string
  readonly rejection: ApiError | undefined
}

/** An authentication that cannot be done now. */
class Unavailable {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

type Result = Authentication | Unavailable

/** Whether an alternative is met, or why it is not. */
type Outcome =
  | { readonly kind: 'met'; readonly caller: Caller }
  | { readonly kind: 'forbidden'; readonly caller: Caller; readonly lacking: RequiredScheme }
  | { readonly kind: 'unavailable'; readonly error: unknown }
  | { readonly kind: 'unauthorized'; readonly invalid: readonly RequiredScheme[] }

/**
 * Decides who sends a request: the caller of the first alternative that is met. If none is met, and one of them
 * cannot be decided now, it rejects; where credentials are optional, there is no caller then.
 */
export async function decide(
  requirements: Requirements,
  authenticators: AnyAuthenticators,
  source: CredentialSource,
): Promise<Decision> {
  const results = new Map<string, Promise<Result>>()
  const unmet: Outcome[] = []

  for (const alternative of requirements.alternatives) {
    const outcome = await tryAlternative(alternative, (name) => {
      return results.getOrInsertComputed(name, () => authenticate(name, authenticators, source))
    })
    if (outcome.kind === 'met') {
      const credential = nounOf(alternative, authenticators)
      return { caller: outcome.caller, credential, rejection: undefined }
    }
    unmet.push(outcome)
  }

  return requirements.isOptional
    ? decideOptional(requirements, authenticators, unmet, source)
    : decideUnmet(requirements, authenticators, unmet, source)
}

/**
 * Decides on a request that needs no credentials: it is rejected if those that it has are invalid. Cookies are ignored
 * then, and credentials that cannot be checked now.
 */
function decideOptional(
  requirements: Requirements,
  authenticators: AnyAuthenticators,
  unmet: readonly Outcome[],
  source: CredentialSource,
): Decision {
  const credential = acceptedCredentials(requirements, authenticators)
  // A browser sends an old cookie with the request that would replace it, too.
  const invalid = invalidIn(unmet, authenticators, source).filter(({ isCookie }) => !isCookie)
  const names = invalid.map(({ name }) => name)
  const rejection =
    names.length === 0 ? undefined : unauthorized(requirements, authenticators, names)
  return { caller: undefined, credential, rejection }
}

function decideUnmet(
  requirements: Requirements,
  authenticators: AnyAuthenticators,
  unmet: readonly Outcome[],
  source: CredentialSource,
): Decision {
  const unavailable = unmet.find((outcome) => outcome.kind === 'unavailable')
  if (unavailable !== undefined) {
    throw unavailable.error
  }

  const forbidden = unmet.find((outcome) => outcome.kind === 'forbidden')
  if (forbidden !== undefined) {
    const { caller, lacking } = forbidden
    const credential = nounOf([lacking], authenticators)
    return { caller, credential, rejection: insufficientScope(lacking, authenticators) }
  }

  const credential = acceptedCredentials(requirements, authenticators)
  const names = invalidIn(unmet, authenticators, source).map(({ name }) => name)
  const rejection = unauthorized(requirements, authenticators, names)
  return { caller: undefined, credential, rejection }
}

/** Authentication schemes whose credentials are in `Authorization`. */
const schemesOfField: ReadonlySet<string> = new Set(['basic', 'bearer'])

/**
 * Returns the schemes that the request has invalid credentials of. `Authorization` has the credentials of one scheme,
 * and every other scheme of this field takes them for invalid: such a scheme is not returned.
 */
function invalidIn(
  unmet: readonly Outcome[],
  authenticators: AnyAuthenticators,
  { headers }: CredentialSource,
): readonly RequiredScheme[] {
  const invalid = unmet.flatMap((outcome) => {
    return outcome.kind === 'unauthorized' ? outcome.invalid : []
  })
  const sentScheme = schemeNameOf(headers['authorization']?.[0] ?? '')
  const schemeOf = ({ name }: RequiredScheme) => schemeNameOf(authenticators[name]?.challenge ?? '')
  const isOfField = (required: RequiredScheme) => schemesOfField.has(schemeOf(required) ?? '')
  const isSent = (required: RequiredScheme) => {
    return isOfField(required) && schemeOf(required) === sentScheme
  }

  return invalid.some(isSent)
    ? invalid.filter((required) => isSent(required) || !isOfField(required))
    : invalid
}

async function tryAlternative(
  alternative: readonly RequiredScheme[],
  authenticateBy: (name: string) => Promise<Result>,
): Promise<Outcome> {
  const results: Result[] = []
  for (const { name } of alternative) {
    results.push(await authenticateBy(name))
  }

  const isUnauthorized = results.some((result) => result === 'absent' || result === 'invalid')
  if (isUnauthorized) {
    const invalid = alternative.filter((_, index) => results[index] === 'invalid')
    return { kind: 'unauthorized', invalid }
  }

  const unavailable = results.find((result) => result instanceof Unavailable)
  if (unavailable !== undefined) {
    return { kind: 'unavailable', error: unavailable.error }
  }

  const callers = results.filter(isCaller)
  const caller = combine(callers)
  const lacking = alternative.find(({ scopes }, index) => !hasScopes(callers[index], scopes))
  return lacking === undefined ? { kind: 'met', caller } : { kind: 'forbidden', caller, lacking }
}

async function authenticate(
  name: string,
  authenticators: AnyAuthenticators,
  source: CredentialSource,
): Promise<Result> {
  const authenticator = authenticators[name]
  if (authenticator === undefined) {
    throw new Error(`The security scheme ${name} has no authenticator.`)
  }

  try {
    return await authenticator.authenticate(source)
  } catch (error) {
    const isUnavailable = error instanceof ApiError && error.status === 503
    if (isUnavailable || error instanceof StoreUnavailable) {
      return new Unavailable(error)
    }
    throw error
  }
}

function isCaller(result: Result): result is Caller {
  return typeof result === 'object' && !(result instanceof Unavailable)
}

function hasScopes(caller: Caller | undefined, scopes: readonly string[]): boolean {
  const scopesOfCaller = caller?.scopes
  return scopesOfCaller === undefined || scopes.every((scope) => scopesOfCaller.has(scope))
}

/** Returns the caller of several credentials: the first one's ID and quota, and the scopes and claims of all. */
function combine(callers: readonly Caller[]): Caller {
  const [first, ...otherCallers] = callers
  if (first === undefined) {
    throw new Error('An alternative requires no security scheme.')
  }
  if (otherCallers.length === 0) {
    return first
  }

  const lists = callers.flatMap(({ scopes }) => scopes ?? [])
  const scopes = lists.length === 0 ? undefined : new Set(lists.flatMap((list) => [...list]))
  // Of claims with one name, that of the first caller wins.
  const claims = callers.toReversed().flatMap((caller) => Object.entries(caller.claims))
  return { ...first, scopes, claims: Object.fromEntries(claims) }
}

function nounOf([scheme]: readonly RequiredScheme[], authenticators: AnyAuthenticators): string {
  return authenticators[scheme?.name ?? '']?.credential ?? ''
}
