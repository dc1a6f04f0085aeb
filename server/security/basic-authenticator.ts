import type { Authentication, Authenticator, CredentialSource } from './authenticator.ts'
import { readBasicCredentials } from './basic-credentials.ts'
import { createPlanChoice, type PlanOptions } from './plan-choice.ts'
import { textsOfBasic } from './scheme-texts.ts'

/** A user whose password is right. */
export interface BasicUser {
  /** Identifies the user in limits, usage, idempotency and logs. */
  readonly id: string
  /** The name of the plan of this user, if it is not that of all users. */
  readonly plan?: string
  /** The scopes that the user has, if not all. */
  readonly scopes?: Iterable<string>
}

/** Checks a user name and a password; returns undefined if they are not valid. */
export type CheckPassword = (user: string, password: string) => Promise<BasicUser | undefined>

/** The name of a security scheme, the plans of the service, and what the API chooses. */
export interface BasicOptions extends PlanOptions {
  /** The name of the security scheme. */
  readonly name: string
  readonly checkPassword: CheckPassword
}

/** Returns the authenticator of a scheme whose credentials are a user name and a password (RFC 7617). */
export function createBasicAuthenticator(options: BasicOptions): Authenticator {
  const { name, checkPassword } = options
  const chooseQuota = createPlanChoice(name, options)
  return {
    ...textsOfBasic,
    async authenticate(source: CredentialSource): Promise<Authentication> {
      const credentials = readBasicCredentials(source)
      if (typeof credentials === 'string') {
        return credentials
      }

      const user = await source.checkGuess(() => {
        return checkPassword(credentials.user, credentials.password)
      })
      if (user === undefined) {
        return 'invalid'
      }
      const { plan, scopes } = user
      return {
        // Another caller may have the same ID under another scheme.
        id: `user_${user.id}`,
        quota: chooseQuota(plan),
        scopes: scopes === undefined ? undefined : new Set(scopes),
        claims: {},
      }
    },
  }
}
