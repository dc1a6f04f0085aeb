import type { Operation, Parameter } from '../description/operation.ts'
import type { ReadParameters } from '../request/parameters.ts'
import type { RequestValues } from '../validator/openapi-validator.ts'
import type { Validators } from './validators.ts'

type Values = Record<string, unknown>
type Texts = Readonly<Record<string, string | readonly string[]>>

/**
 * The values of a request in its plainest form that keeps the contract for sure: what
 * express-openapi-validator would make of it. Undefined where there is any doubt, which is for that
 * to settle.
 */
export function plainValues(
  validators: Validators,
  { operationId, parameters }: Operation,
  sent: ReadParameters,
  body: unknown,
): RequestValues | undefined {
  const accepts = validators.requests[operationId]
  if (accepts === undefined || sent.details.length > 0) return undefined
  const path = toValues(sent.path, parameters.path)
  const query = toValues(sent.query, parameters.query)
  const headers = toValues(sent.headers, withLowerCaseNames(parameters.header))
  if (path === undefined || query === undefined || headers === undefined) return undefined
  const values = { path, query, headers, cookies: sent.cookies, body }
  return accepts(values) ? values : undefined
}

/** Texts as the values that they stand for; undefined where a type leaves a choice. */
function toValues(texts: Texts, rows: Readonly<Record<string, Parameter>>): Values | undefined {
  const values: Values = {}
  for (const name in texts) {
    const value = toValue(texts[name], rows[name]?.type)
    if (value === undefined) return undefined
    values[name] = value
  }
  return values
}

function toValue(text: Texts[string] | undefined, type: Parameter['type']): unknown {
  if (typeof text !== 'string') return undefined
  if (type === 'string') return text
  // That it is one was found out when it was read.
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return undefined
}

const lowerCase = new WeakMap<object, Readonly<Record<string, Parameter>>>()

function withLowerCaseNames(rows: Readonly<Record<string, Parameter>>) {
  const known = lowerCase.get(rows)
  if (known !== undefined) return known
  const made = Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name.toLowerCase(), row]),
  )
  lowerCase.set(rows, made)
  return made
}
