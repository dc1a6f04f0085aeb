import { hash } from 'node:crypto'
import { type JsonObject, toList } from '../description/json.ts'
import type { Caller } from './authenticator.ts'
import type { Quota } from './plans.ts'
import type { VerifiedClaims } from './token-verifier.ts'

/** Returns who has sent a token. */
export function callerOfToken(claims: VerifiedClaims, quota: Quota): Caller {
  return { id: idOf(claims), quota, scopes: scopesOf(claims), claims }
}

/** Returns an ID without the subject, which is often an email address, for logs. */
function idOf({ iss, sub }: VerifiedClaims): string {
  const digest = hash('sha256', JSON.stringify([iss, sub]), 'hex')
  return `sub_${digest.slice(0, 32)}`
}

/** Reads the scopes: a text with spaces in `scope` (RFC 8693), or a list or text in `scp`, as some providers have it. */
function scopesOf({ scope, scp }: JsonObject): ReadonlySet<string> {
  const values = [scope, scp].flatMap((value) => {
    return typeof value === 'string' ? value.split(' ') : toList(value)
  })
  const scopes = values.filter((value): value is string => typeof value === 'string')
  return new Set(scopes.filter((name) => name !== ''))
}
