import { isRedisUrl, isStoreUrl, redisUrlForms, storeUrlForms } from './connection-urls.ts'

/** Reads a value, or says what is allowed. */
export interface Reader<Value> {
  readonly allowed: string
  readonly parse: (value: string) => Value | undefined
}

/** Any text. */
export const text: Reader<string> = { allowed: 'any text', parse: (value) => value }

/** One of some words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Reader<Word> {
  return {
    allowed: words.join(', '),
    parse: (value) => words.find((word) => word === value),
  }
}

/** Decimal digits of a number within bounds. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  return {
    allowed: `a whole number ${range}`,
    parse(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= least && number <= most ? number : undefined
    },
  }
}

/** The URL of a store. */
export const storeUrl: Reader<string> = {
  allowed: storeUrlForms,
  parse: (value) => (isStoreUrl(value) ? value : undefined),
}

/** The URL of a Redis, or nothing. */
export const redisUrl: Reader<string> = {
  allowed: redisUrlForms,
  parse: (value) => (value === '' || isRedisUrl(value) ? value : undefined),
}

/** Origins (RFC 6454) with commas between them, or nothing. */
export const origins: Reader<readonly string[]> = {
  allowed: 'a comma list of origins such as https://app.example, without a path',
  parse(value) {
    const list = value === '' ? [] : value.split(',').map((origin) => origin.trim())
    return list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
      ? list
      : undefined
  },
}

/** The URL of a place in the web, or nothing. */
export const webUrl: Reader<string> = {
  allowed: 'http://HOST:PORT or https://HOST:PORT, with a path where there is one',
  parse: (value) => (value === '' || isWebUrl(value) ? value : undefined),
}

function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^?#]+$/.test(value) && URL.canParse(value)
}

/** A part of the whole. */
export const share: Reader<number> = {
  allowed: 'a number from 0 to 1, such as 0.1',
  parse: (value) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(value) ? Number(value) : undefined),
}

/** What another reader takes, or the word `off`. */
export function orOff<Value>({ allowed, parse }: Reader<Value>): Reader<Value | 'off'> {
  return {
    allowed: `${allowed}, or off`,
    parse: (value) => (value === 'off' ? value : parse(value)),
  }
}
