import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { apiKeyMarker as marker } from '../process/names.ts'
import type { KeyRecord } from '../store/key-store.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const form = new RegExp(`^${marker}([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checksumLength}})$`)
const possibleKeys = new RegExp(`${marker}[0-9A-Za-z]{20,}`, 'g')

/** Characters of a key that may be shown to identify it. */
const prefixLength = marker.length + 6

/** The terms that a new key is issued with. */
type KeyTerms = Pick<KeyRecord, 'name' | 'plan' | 'perMinute' | 'perDay' | 'expiresAt'>

/** Creates a key, unless one is given, and its record: the key is shown once, the record is stored. */
export function issueKey(terms: KeyTerms, key = createApiKey(), idPrefix = 'key_') {
  const record: KeyRecord = {
    ...terms,
    // The ID is for commands and logs; it reveals nothing of the key.
    id: `${idPrefix}${randomText(12)}`,
    prefix: key.slice(0, prefixLength),
    digest: Buffer.from(digestOf(key), 'hex'),
    createdAt: Date.now(),
    revokedAt: undefined,
    replacedBy: undefined,
  }
  return { key, record }
}

/** Creates an API key: the prefix of this API, 30 random base62 characters, and 6 more of their CRC-32. */
export function createApiKey(): string {
  const random = randomText(randomLength)
  return marker + random + checksumOf(random)
}

/** Returns whether a text has the form and the checksum of an API key. */
export function isApiKey(text: string): boolean {
  const [, random, checksum] = form.exec(text) ?? []
  return random !== undefined && checksumOf(random) === checksum
}

/** Returns a text with every possible API key redacted. */
export function withoutApiKeys(text: string): string {
  return text.replaceAll(possibleKeys, `${marker}***`)
}

/** Returns the SHA-256 of a key in hexadecimal digits, which is stored instead of the key. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex')
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

function checksumOf(random: string): string {
  let digits = ''
  for (let rest = crc32(random); rest > 0; rest = Math.floor(rest / alphabet.length)) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
  }
  return digits.padStart(checksumLength, '0')
}
