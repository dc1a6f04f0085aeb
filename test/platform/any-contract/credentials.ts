import type { Document, Located } from './document.ts'
import { type JsonObject, toObject, toText } from './json.ts'

/** What a request sends for its security schemes. */
export interface Credentials {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: readonly string[]
}

const none: Credentials = { headers: [], query: [] }

/** Returns credentials with a key for the first alternative of the requirements of an operation. */
export function createCredentials(
  document: Document,
  requirements: readonly JsonObject[],
  key: string | undefined,
): Credentials {
  const [first] = requirements
  if (first === undefined || key === undefined) {
    return none
  }
  const schemes = Object.keys(first).map((name) =>
    document.follow(document.at(document.root, 'components', 'securitySchemes', name)),
  )
  const each = schemes.map((scheme) => createCredential(scheme, key))
  return {
    headers: each.flatMap(({ headers }) => headers),
    query: each.flatMap(({ query }) => query),
  }
}

function createCredential({ value }: Located<JsonObject>, key: string): Credentials {
  const { type, scheme, name, in: place } = toObject(value)
  if (type === 'http' && toText(scheme).toLowerCase() === 'basic') {
    const pair = Buffer.from(`user:${key}`).toString('base64')
    return { headers: [['Authorization', `Basic ${pair}`]], query: [] }
  }
  if (type !== 'apiKey') {
    return { headers: [['Authorization', `Bearer ${key}`]], query: [] }
  }
  if (place === 'query') {
    return { headers: [], query: [`${encodeURIComponent(toText(name))}=${key}`] }
  }
  return place === 'cookie'
    ? { headers: [['Cookie', `${toText(name)}=${key}`]], query: [] }
    : { headers: [[toText(name), key]], query: [] }
}
