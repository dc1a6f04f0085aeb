import type { ErrorObject } from 'ajv/dist/2020.js'
import { escapeToken, isObject, unescapeToken } from './description.ts'
import { type Detail, shorten } from './errors.ts'

/** Converts the errors of Ajv to `details`: a JSON Pointer (RFC 6901) and a sentence for each. */
export function toDetails(errors: readonly ErrorObject[] | null | undefined): Detail[] {
  // The errors of `then` follow that of `if`.
  const all = (errors ?? []).filter(({ keyword }) => keyword !== 'if')
  // A format adds nothing to an error in the type or in a limit.
  const others = new Set(all.filter(isNotFormat).map(({ instancePath }) => instancePath))
  return all
    .filter((error) => isNotFormat(error) || !others.has(error.instancePath))
    .map((error) => ({ path: pointerOf(error), message: messageOf(error) }))
}

/** Describes an error in a response for the log, such as `header X-Request-Id is missing`. */
export function toLogText(error: ErrorObject): string {
  const [, place = '', name, ...rest] = pointerOf(error).split('/')
  const where = place === 'headers' ? ['header', name] : [[place, name, ...rest].join('/')]
  const isPlain = /^(?:required|(?:unevaluated|additional)Properties)$/.test(error.keyword)
  const message = isPlain ? messageOf(error) : `${error.message}`
  const isUndeclared = error.keyword === 'additionalProperties' && place === 'headers'
  return [...where, isUndeclared ? 'is not declared' : message].filter(Boolean).join(' ')
}

function isNotFormat({ keyword }: ErrorObject): boolean {
  return keyword !== 'format'
}

// The error is at the property that is missing or not allowed, not at the object.
function pointerOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params
  const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
  return typeof name === 'string' ? `${instancePath}/${escapeToken(name)}` : instancePath
}

function messageOf({ keyword, message = '', params }: ErrorObject): string {
  if (keyword !== 'enum') return explain(keyword, message)
  return explain(keyword, `${message}: ${params['allowedValues']?.join(', ')}`)
}

const limits: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
}

const sizes: Readonly<Record<string, readonly [limit: string, unit: string]>> = {
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
  minItems: ['at least', 'item'],
  maxItems: ['at most', 'item'],
  minProperties: ['at least', 'field'],
  maxProperties: ['at most', 'field'],
}

const sentences: Readonly<Record<string, string>> = {
  required: 'is missing',
  dependentRequired: 'is missing, which another field asks for',
  additionalProperties: 'is not a known field',
  unevaluatedProperties: 'is not a known field',
  propertyNames: 'has a field whose name is not allowed',
  const: 'must be the one value that the contract gives',
  uniqueItems: 'must not have the same item twice',
  contains: 'lacks an item that the contract asks for',
  pattern: 'must match the pattern that the contract gives',
  readOnly: 'is for answers only',
  oneOf: 'must fit exactly one of the forms that the contract gives',
  anyOf: 'must fit one of the forms that the contract gives',
  not: 'must not have the form that the contract rules out',
}

/** Explains a violation to a client, by a keyword of JSON Schema and the message of Ajv. */
export function explain(keyword: string, message: string): string {
  const limit = ownValue(limits, keyword)
  if (limit !== undefined) return `must be ${limit} ${message.split(' ').at(-1)}`
  const size = ownValue(sizes, keyword)
  if (size !== undefined) {
    const count = /\d+/.exec(message)?.[0] ?? '?'
    return `must have ${size[0]} ${count} ${size[1]}${count === '1' ? '' : 's'}`
  }
  if (keyword === 'type') {
    return `must be ${message.replace('must be ', '').split(',').map(withArticle).join(' or ')}`
  }
  if (keyword === 'enum') return `must be one of ${message.split(': ').slice(1).join(': ')}`
  if (keyword === 'format') {
    return `must have the format ${/"(.*)"/.exec(message)?.[1] ?? 'that the contract gives'}`
  }
  return ownValue(sentences, keyword) ?? 'does not fit the contract'
}

function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** Characters of names that the description does not have, over all details of an error. */
const longestEcho = 100

/**
 * Bounds what the paths of details repeat of a request: names that the description does not have are
 * shown until the total is reached, and then as `…`. Details that are equal after that become one.
 */
export function boundEcho(
  details: readonly Detail[],
  body: unknown,
  isKnown: (name: string) => boolean,
): Detail[] {
  let left = longestEcho
  const show = (name: string): string => {
    const shown = shorten(name, left)
    left = shown === name ? left - name.length : 0
    return shown
  }
  const showPath = (path: string): string => {
    const [root = '', place = '', ...tokens] = path.split('/')
    let node = place === 'body' ? body : undefined
    const shown = tokens.map((token) => {
      const name = unescapeToken(token)
      const isShown = Array.isArray(node) || isKnown(name)
      node = isObject(node) || Array.isArray(node) ? Reflect.get(node, name) : undefined
      return isShown ? token : escapeToken(show(name))
    })
    return [root, place, ...shown].join('/')
  }
  return withoutDuplicates(details.map(({ path, message }) => ({ path: showPath(path), message })))
}

/** Returns details without those that have the path and the message of an earlier one. */
export function withoutDuplicates(details: readonly Detail[]): Detail[] {
  const byText = details.map((detail) => [`${detail.path} ${detail.message}`, detail] as const)
  return [...new Map(byText).values()]
}
