import type { ErrorObject } from 'ajv/dist/2020.js'
import { escapeToken } from './description.ts'
import type { Detail } from './errors.ts'
import { inPlainWords } from './plain-words.ts'

/** Converts the errors of a request to `details`: a JSON Pointer (RFC 6901) and a sentence for each. */
export function toDetails(errors: readonly ErrorObject[] | null | undefined): Detail[] {
  const all = errors ?? []
  // A format adds nothing to an error in the type or in a limit.
  const others = new Set(all.filter(isNotFormat).map(({ instancePath }) => instancePath))
  return all
    .filter((error) => isNotFormat(error) || !others.has(error.instancePath))
    .map((error) => ({ path: pointerOf(error), message: messageOf(error) }))
}

/** Describes an error in a response for the log, such as `header X-Request-Id is missing`. */
export function toWords(error: ErrorObject): string {
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

// What is missing or not known has no place of its own in the value.
function pointerOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params
  const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
  return typeof name === 'string' ? `${instancePath}/${escapeToken(name)}` : instancePath
}

function messageOf({ keyword, message = '', params }: ErrorObject): string {
  if (keyword !== 'enum') return inPlainWords(keyword, message)
  return inPlainWords(keyword, `${message}: ${params['allowedValues']?.join(', ')}`)
}
