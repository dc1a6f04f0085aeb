import {
  chooseValue,
  hasRole,
  isPlace,
  isWrapper,
  type Role,
  reasonOf,
  roleOfFlag,
  roleOfNumber,
  roleOfText,
  toPlainName,
} from './error-roles.ts'
import { numberOf, type Shape, textOf } from './error-shape.ts'
import { isObject, type JsonObject, toList, toObject } from './json.ts'

/** An error that gets a body. */
export interface FilledError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: readonly { readonly path: string; readonly message: string }[]
  readonly requestId: string
  /** Milliseconds since 1970; the time of the call unless set. */
  readonly time?: number
  /** The reason phrase; that of the status unless set. */
  readonly reason?: string
  /** Chooses one of the values that a schema lists; by status and code unless set. */
  readonly choose?: (values: readonly unknown[]) => unknown
}

/** An error, or one of its details, which has a place in the request. */
interface Facts extends FilledError {
  readonly place?: string
}

/**
 * Returns a body for an error in the shape that a description declares: what the names and types of members
 * tell is filled in, other required members are those of the example.
 */
export function fillBody(shape: Shape, error: FilledError, example: unknown): unknown {
  const exampleOfBody = example ?? shape.example
  return fill(completeShape(shape, exampleOfBody), error, exampleOfBody)
}

/** Returns a value for a header that an error must have, by its name and its example. */
export function fillHeader(name: string, shape: Shape, error: FilledError, example: unknown) {
  const exampleOfHeader = example ?? shape.example
  const plainName = name.replace(/^x-/i, '')
  const value = memberOf(plainName, shape, [], error, exampleOfHeader)
  return value ?? placeholder(shape, exampleOfHeader)
}

/** Returns the shape of an example in place of one that names no members. */
function completeShape(shape: Shape, example: unknown): Shape {
  const isOpen = shape.properties.size === 0 && shape.items === undefined
  const isFree = isOpen && shape.types.every((type) => type === 'object' || type === 'array')
  const hasMembers = typeof example === 'object' && example !== null
  return isFree && hasMembers ? shapeOf(example) : shape
}

const plainShape: Shape = {
  types: [],
  isNullable: false,
  values: undefined,
  properties: new Map(),
  required: new Set(),
  items: undefined,
  example: undefined,
  keywords: {},
}

function shapeOf(example: unknown): Shape {
  if (Array.isArray(example)) {
    return { ...plainShape, types: ['array'], items: shapeOf(example[0]), example }
  }
  if (!isObject(example)) {
    const type = typeof example === 'object' ? 'null' : typeof example
    return { ...plainShape, types: [type], example }
  }
  const properties = Object.entries(example).map(([name, value]) => [name, shapeOf(value)] as const)
  return { ...plainShape, types: ['object'], properties: new Map(properties), example }
}

function fill(shape: Shape, facts: Facts, example: unknown): unknown {
  if (allows(shape, 'object') && shape.properties.size > 0) {
    return fillObject(shape, facts, example)
  }
  if (shape.items !== undefined) {
    return fillList(shape, facts, example)
  }
  return allows(shape, 'string')
    ? fitText(shape, facts.message, example)
    : placeholder(shape, example)
}

function fillObject(shape: Shape, facts: Facts, example: unknown): JsonObject {
  const names = [...shape.properties.keys()]
  const members: [string, unknown][] = []
  for (const [name, member] of shape.properties) {
    const exampleOfMember = toObject(example)[name] ?? member.example
    const siblings = names.filter((other) => isTextual(shape.properties.get(other)))
    const isRequired = shape.required.has(name)
    let value = memberOf(name, member, siblings, facts, exampleOfMember)
    if (value === undefined && isRequired) {
      value = placeholderIn(member, facts, exampleOfMember)
    }
    if (value !== undefined) {
      members.push([name, value])
    }
  }
  for (const name of shape.required) {
    if (!shape.properties.has(name)) {
      members.push([name, toObject(example)[name] ?? facts.message])
    }
  }
  return Object.fromEntries(members)
}

function isTextual(shape: Shape | undefined): boolean {
  return shape !== undefined && allows(shape, 'string')
}

/** Returns what a member of an error says; undefined if its name and its type tell nothing. */
function memberOf(
  name: string,
  shape: Shape,
  siblings: readonly string[],
  facts: Facts,
  example: unknown,
): unknown {
  if (shape.items !== undefined || is(shape, 'array')) {
    return listOf(name, shape, siblings, facts, example)
  }
  if (is(shape, 'object')) {
    const filled = isWrapper(name) ? fill(completeShape(shape, example), facts, example) : {}
    return Object.keys(toObject(filled)).length > 0 ? filled : undefined
  }
  if (facts.place !== undefined && isPlace(name) && isTextual(shape)) {
    return placeOf(name, shape, siblings, facts.place)
  }
  const role = roleOf(name, shape, siblings)
  return role === undefined ? undefined : valueOfRole(role, shape, facts, example)
}

function roleOf(name: string, shape: Shape, siblings: readonly string[]): Role | undefined {
  if (is(shape, 'integer') || is(shape, 'number')) {
    return roleOfNumber(name)
  }
  if (is(shape, 'boolean')) {
    return roleOfFlag(name)
  }
  return allows(shape, 'string') ? roleOfText(name, siblings) : undefined
}

/** Returns the value of a role; undefined if the schema does not allow it. */
function valueOfRole(role: Role, shape: Shape, facts: Facts, example: unknown): unknown {
  const { status, code, message, requestId, reason = reasonOf(status) } = facts
  if (role === 'success' || role === 'failure') {
    return role === 'failure'
  }
  if (shape.values !== undefined) {
    const chosen = facts.choose?.(shape.values) ?? chooseValue(shape.values, facts)
    return chosen ?? placeholder(shape, example)
  }

  switch (role) {
    case 'status':
      return statusOf(shape, status, example)
    case 'code':
      return isPhrase(example) ? reason : fitText(shape, code, example)
    case 'type':
      return isUri(shape, example) ? 'about:blank' : fitText(shape, code, example)
    case 'title':
      return fitText(shape, reason, example)
    case 'message':
      return fitText(shape, message, example)
    case 'requestId':
      return fitText(shape, requestId, example)
    default:
      return timeOf(shape, facts.time ?? Date.now())
  }
}

function statusOf(shape: Shape, status: number, example: unknown): unknown {
  if (!is(shape, 'string')) {
    return status
  }
  const isOfText = typeof example === 'string' && !/^\d+$/.test(example)
  return isOfText ? example : fitText(shape, String(status), example)
}

function timeOf(shape: Shape, time: number): unknown {
  if (!is(shape, 'string') && shape.types.length > 0) {
    return time
  }
  const now = new Date(time).toISOString()
  return textOf(shape, 'format') === 'date' ? now.slice(0, 10) : now
}

/** Returns whether the example of a code is a phrase such as `Not Found`. */
function isPhrase(example: unknown): boolean {
  return typeof example === 'string' && /^[A-Z][a-z]+(?: [A-Z][a-z]+)+$/.test(example)
}

function isUri(shape: Shape, example: unknown): boolean {
  const isOfFormat = textOf(shape, 'format')?.startsWith('uri') === true
  return isOfFormat || (typeof example === 'string' && /^(?:https?:|about:|urn:|\/)/.test(example))
}

/** Returns where a violation is: a JSON Pointer, or the name of a parameter. */
function placeOf(name: string, shape: Shape, siblings: readonly string[], place: string): unknown {
  const [, location = '', ...rest] = place.split('/')
  if (shape.values !== undefined) {
    const { values } = shape
    return values.find((value) => toPlainName(String(value)).startsWith(location.slice(0, 4)))
  }
  const isBody = location === 'body'
  const isParameter = /^param/.test(toPlainName(name))
  // JSON:API has the pointer of a body, or else the name of a parameter.
  const hasBoth = siblings.some((other) => other !== name && isPlace(other))
  if (isParameter && hasBoth) {
    return isBody ? undefined : rest.join('/')
  }
  return place
}

function listOf(
  name: string,
  shape: Shape,
  siblings: readonly string[],
  facts: Facts,
  example: unknown,
): unknown {
  if (facts.place !== undefined) {
    return isPlace(name) ? facts.place.split('/').slice(1) : undefined
  }
  if (!hasRole(name, 'list')) {
    return undefined
  }
  const isSaidElsewhere = siblings.some((other) => roleOfText(other, []) === 'message')
  const isNeeded = (numberOf(shape, 'minItems') ?? 0) > 0 || !isSaidElsewhere
  return facts.details.length > 0 || isNeeded ? fillList(shape, facts, example) : undefined
}

/** Returns a list with an item for each detail of an error, or else for the error itself. */
function fillList(shape: Shape, facts: Facts, example: unknown): unknown {
  const itemShape = shape.items ?? plainShape
  const [exampleOfItem] = toList(example)
  const { details } = facts
  const listed: readonly Facts[] =
    details.length === 0
      ? [facts]
      : details.map(({ path, message }) => ({ ...facts, message, place: path, details: [] }))
  const maxItems = numberOf(shape, 'maxItems') ?? listed.length
  return listed.slice(0, maxItems).map((item) => fillItem(itemShape, item, exampleOfItem))
}

function fillItem(shape: Shape, facts: Facts, example: unknown): unknown {
  const { place, message } = facts
  if (!allows(shape, 'object') || is(shape, 'string')) {
    const text = place === undefined ? message : `${place} ${message}`
    return fitText(shape, text, example)
  }

  const complete = completeShape(shape, example)
  const isUnknown = complete.properties.size === 0
  return isUnknown ? { path: place ?? '/', message } : fillObject(complete, facts, example)
}

/** Returns a text within the limits of its schema, or else the example. */
function fitText(shape: Shape, text: string, example: unknown): unknown {
  if (shape.values !== undefined) {
    return shape.values.includes(text) ? text : placeholder(shape, example)
  }
  const maxLength = numberOf(shape, 'maxLength') ?? Number.POSITIVE_INFINITY
  const shortened = [...text].slice(0, maxLength).join('')
  return isFormed(shape, shortened) ? shortened : (placeholder(shape, example) ?? shortened)
}

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns whether a text has the length, the pattern and the format of a schema, as far as they are looked at. */
function isFormed(shape: Shape, text: string): boolean {
  const isLongEnough = text.length >= (numberOf(shape, 'minLength') ?? 0)
  const hasFormat = textOf(shape, 'format') !== 'uuid' || uuidForm.test(text)
  return isLongEnough && matches(textOf(shape, 'pattern'), text) && hasFormat
}

function matches(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) {
    return true
  }
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

/** Returns a value for a required member whose name tells nothing. Names of members in it may tell something. */
function placeholderIn(shape: Shape, facts: Facts, example: unknown): unknown {
  const exampleOfMember = example ?? shape.example
  const isNested = is(shape, 'object') && shape.properties.size > 0
  return isNested ? fillObject(shape, facts, exampleOfMember) : placeholder(shape, exampleOfMember)
}

/** Returns a value that says nothing about the error: the example of its schema, or the smallest value. */
function placeholder(shape: Shape, example: unknown): unknown {
  const exampleOfValue = example ?? shape.example
  const isListed = shape.values === undefined || shape.values.includes(exampleOfValue)
  if (exampleOfValue !== undefined && isListed) {
    return exampleOfValue
  }
  if (shape.values !== undefined) {
    return shape.values[0]
  }
  return shape.isNullable ? null : smallestOf(shape)
}

function smallestOf(shape: Shape): unknown {
  const [type = 'string'] = shape.types
  switch (type) {
    case 'integer':
    case 'number': {
      const above = numberOf(shape, 'exclusiveMinimum')
      return numberOf(shape, 'minimum') ?? (above === undefined ? 0 : above + 1)
    }
    case 'boolean':
      return false
    case 'array': {
      const items = shape.items ?? plainShape
      return Array.from({ length: numberOf(shape, 'minItems') ?? 0 }, () =>
        placeholder(items, undefined),
      )
    }
    case 'object': {
      const members = Array.from(shape.required, (name) => {
        const member = shape.properties.get(name) ?? plainShape
        return [name, placeholder(member, undefined)] as const
      })
      return Object.fromEntries(members)
    }
    default:
      return smallestText(shape)
  }
}

function smallestText(shape: Shape): string {
  const format = textOf(shape, 'format')
  const length = numberOf(shape, 'minLength') ?? 0
  const byFormat: Readonly<Record<string, string>> = {
    'date-time': '1970-01-01T00:00:00Z',
    date: '1970-01-01',
    uuid: '00000000-0000-4000-8000-000000000000',
    uri: 'about:blank',
    'uri-reference': 'about:blank',
  }
  return byFormat[format ?? ''] ?? '-'.repeat(length)
}

/** Returns whether a schema allows values of a type. */
function allows({ types }: Shape, type: string): boolean {
  return types.length === 0 || types.includes(type)
}

/** Returns whether a schema is for values of a type alone, but for `null`. */
function is({ types }: Shape, type: string): boolean {
  return types.length === 1 && types[0] === type
}
