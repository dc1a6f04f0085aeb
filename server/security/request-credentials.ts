import { decodeQuery, queryPairs, readCookies } from '../contract/parameters.ts'
import type { JsonObject } from '../description/json.ts'
import type { CredentialSource } from './authenticator.ts'
import type { RequestGuesses } from './guess-limiter.ts'

/** Stands for a value that cannot be decoded; no credentials have this character. */
const undecodable = '\uFFFD'

/** Returns where authenticators find the credentials of a request; query and cookies are parsed when they ask. */
export function readCredentials(
  headers: CredentialSource['headers'],
  rawQuery: string,
  guesses: Pick<RequestGuesses, 'check'>,
): CredentialSource {
  return {
    headers,
    queryValues(name) {
      const pairs = queryPairs(rawQuery).filter((pair) => pair.name === name)
      return pairs.map(({ text }) => decodeQuery(text) ?? undecodable)
    },
    cookieValues(name) {
      const pairs = readCookies(headers['cookie']?.join(';'))
      return pairs.filter(([cookieName]) => cookieName === name).map(([, value]) => value)
    },
    checkGuess: (check) => guesses.check(check),
  }
}

/** Returns what a request has where a security scheme says that its credentials are, each value as it was sent. */
export function sentValues(
  { type, in: location, name }: JsonObject,
  source: CredentialSource,
): readonly string[] {
  const field = String(name)
  if (type !== 'apiKey') {
    return source.headers['authorization'] ?? []
  }
  if (location === 'query') {
    return source.queryValues(field)
  }
  if (location === 'cookie') {
    return source.cookieValues(field)
  }
  return source.headers[field.toLowerCase()] ?? []
}

/** Returns the header fields of a request without its cookies. */
export function withoutCookies(headers: CredentialSource['headers']): CredentialSource['headers'] {
  return { ...headers, cookie: undefined }
}

/** Returns a query without some parameters, each of the others as it was sent. */
export function withoutParameters(rawQuery: string, names: ReadonlySet<string>): string {
  const pairs = rawQuery.split('&').filter((pair) => {
    const [parameter] = queryPairs(pair)
    return parameter?.name === undefined || !names.has(parameter.name)
  })
  return pairs.join('&')
}
