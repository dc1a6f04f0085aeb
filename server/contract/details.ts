import type { ErrorObject } from 'ajv/dist/2020.js'
import { escapeToken, unescapeToken } from '../description/pointer.ts'
import { type Detail, maxQuoteLength, shorten } from './errors.ts'

/** Converts the errors of Ajv to `details`: a JSON Pointer (RFC 6901) and a sentence, each once. */
export function toDetails(errors: readonly ErrorObject[] | null | undefined): Detail[] {
  // The error of `if` says nothing beside those of `then` and `else`.
  const listed = (errors ?? []).filter(({ keyword }) => keyword !== 'if')
  // An error of a format says nothing beside one of the type or of a limit.
  const otherThanFormat = listed.filter(({ keyword }) => keyword !== 'format')
  const placesOfOthers = new Set(otherThanFormat.map(({ instancePath }) => instancePath))
  const details = listed
    .filter(({ keyword, instancePath }) => {
      return keyword !== 'format' || !placesOfOthers.has(instancePath)
    })
    .map(toDetail)
  return withoutDuplicates(details)
}

function toDetail({ keyword, instancePath, params }: ErrorObject): Detail {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params
  // The error is at the property that is missing or not allowed, not at the object.
  const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
  const path = typeof name === 'string' ? `${instancePath}/${escapeToken(name)}` : instancePath
  return { path: withLowerHeader(path), message: explain(keyword, params) }
}

/** Returns the path of an error with the name of a header field in lower case: it has no case. */
function withLowerHeader(path: string): string {
  return path.replace(/^\/headers\/[^/]*/, (place) => place.toLowerCase())
}

/** The sentence for each keyword; `#` is the limit or the name of the format. */
const sentences: Readonly<Record<string, string>> = {
  required: 'is missing',
  dependentRequired: 'is missing, which another field asks for',
  'false schema': 'is not allowed',
  additionalProperties: 'is not a known field',
  unevaluatedProperties: 'is not a known field',
  unevaluatedItems: 'is not an item that the contract allows',
  propertyNames: 'has a field whose name is not allowed',
  minimum: 'must be at least #',
  maximum: 'must be at most #',
  exclusiveMinimum: 'must be more than #',
  exclusiveMaximum: 'must be less than #',
  multipleOf: 'must be a multiple of #',
  minLength: 'must have at least # characters',
  maxLength: 'must have at most # characters',
  minItems: 'must have at least # items',
  maxItems: 'must have at most # items',
  minProperties: 'must have at least # fields',
  maxProperties: 'must have at most # fields',
  uniqueItems: 'must not have the same item twice',
  contains: 'lacks an item that the contract asks for',
  pattern: 'must match the pattern that the contract gives',
  format: 'must have the format #',
  readOnly: 'is for responses only',
  writeOnly: 'is for requests only',
  oneOf: 'must fit exactly one of the forms that the contract gives',
  anyOf: 'must fit one of the forms that the contract gives',
  not: 'must not have the form that the contract rules out',
}

/** The sentences that details may have, `#` for a limit. */
export const detailMessages: readonly string[] = Object.values(sentences)

function explain(keyword: string, params: ErrorObject['params']): string {
  const { type, allowedValues, allowedValue, limit, multipleOf, format } = params
  if (keyword === 'type') {
    return `must be ${[type].flat().map(withArticle).join(' or ')}`
  }
  if (keyword === 'enum') {
    return `must be one of ${allowedValues.map(toWord).join(', ')}`
  }
  if (keyword === 'const') {
    return `must be ${toWord(allowedValue)}`
  }
  if (!Object.hasOwn(sentences, keyword)) {
    return 'does not fit the contract'
  }
  const expected = String(limit ?? multipleOf ?? format)
  const sentence = `${sentences[keyword]}`.replace('#', expected)
  const pluralOfOne = /(\b1 \w+)s$/
  return sentence.replace(pluralOfOne, '$1')
}

function toWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function withArticle(type: string): string {
  if (type === 'null') {
    return type
  }
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** Details that an error lists. */
export const maxDetails = 100

/** Characters of the message of a detail. */
export const maxMessageLength = 2 * maxQuoteLength

/**
 * Bounds details in number and length, and what their paths repeat of a request: names that the
 * description does not have are shown up to a total length, and then as `…`. Details that are equal
 * after that become one.
 */
export function truncateDetails(
  details: readonly Detail[],
  knownNames: ReadonlySet<string>,
): Detail[] {
  let left = maxQuoteLength
  const show = (token: string): string => {
    const name = unescapeToken(token)
    if (/^\d{1,6}$/.test(token) || knownNames.has(name)) {
      return token
    }
    const shortened = shorten(name, left)
    left = shortened === name ? left - name.length : 0
    return escapeToken(shortened)
  }
  const bounded = details.slice(0, maxDetails).map(({ path, message }) => {
    const [root, location = '', ...tokens] = path.split('/')
    // Only declared parameters are reported in other locations.
    const mayRepeatRequest = location === 'body' || location === 'query'
    const boundedTokens = mayRepeatRequest ? tokens.map(show) : tokens
    const place = [root, location, ...boundedTokens].join('/')
    return { path: shorten(place), message: shorten(message, maxMessageLength) }
  })
  return withoutDuplicates(bounded)
}

/** Returns the details of places that were not reported yet. */
export function withoutReported(
  details: readonly Detail[],
  reported: readonly Detail[],
): readonly Detail[] {
  const paths = new Set(reported.map(({ path }) => path))
  return details.filter(({ path }) => !paths.has(path))
}

function withoutDuplicates(details: readonly Detail[]): Detail[] {
  const byText = details.map((detail) => [`${detail.path} ${detail.message}`, detail] as const)
  return [...new Map(byText).values()]
}
