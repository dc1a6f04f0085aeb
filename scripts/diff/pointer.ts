import { basename } from 'node:path'
import { toObject } from '../../server/description/json.ts'
import { allMethods } from '../../server/description/operations.ts'
import { pointerKeys, toPointer } from '../../server/description/pointer.ts'
import { serviceFileName } from '../pipeline/service-file.ts'
import { show } from './rules/rule.ts'

/** An operation, or what has operations, that the keys of a pointer begin with. */
interface Holder {
  /** Such as `GET /orders` or `POST webhooks.done`. */
  readonly place: string
  /** The words for it, unless it is an operation of a path. */
  readonly subject: string | undefined
  /** How many keys lead to it. */
  readonly length: number
}

/**
 * Returns where something is, for people: `GET /orders`, `GET /orders callbacks.paid`, `POST webhooks.done`,
 * `components.schemas.Order`, `info`, or the file if it is all of that.
 */
export function toPlace(pointer: string, file: string): string {
  const keys = pointerKeys(pointer)
  const [section = `the file ${basename(file)}`, kind, name] = keys
  if (section === 'x-undeclared-operations' || section === 'x-framing-response') {
    return 'undeclared operations'
  }
  if (section === 'x-service' || basename(file) === serviceFileName) {
    return toServicePlace(section === 'x-service' ? keys.slice(1) : keys)
  }

  const places = findHolders(keys).map(({ place }) => place)
  if (places.length > 0) {
    return places.join(' ')
  }
  return section === 'components' && name !== undefined ? `components.${kind}.${name}` : section
}

/** Returns where something is in `service.yaml`: an operation, or a setting such as `requests.accept`. */
function toServicePlace(keys: readonly string[]): string {
  const [section, operation] = keys
  return section === 'operations' && operation !== undefined ? operation : keys.join('.')
}

/** Returns the operation that keys begin with, and those callbacks of it that lead to what they point at. */
function findHolders(keys: readonly string[]): readonly Holder[] {
  const holders: Holder[] = []
  // A file may hold an operation alone, whose callbacks have no path.
  let holder = findPathItem(keys) ?? findCallback(keys, 0)
  while (holder !== undefined) {
    holders.push(holder)
    holder = findCallback(keys, holder.length)
  }
  return holders
}

/** Returns the path or the webhook that keys begin with. */
function findPathItem(keys: readonly string[]): Holder | undefined {
  const [section, name] = keys
  const isWebhook = section === 'webhooks'
  if (name === undefined || (section !== 'paths' && !isWebhook)) {
    return undefined
  }

  const { method, length } = findMethod(keys, 2)
  const path = isWebhook ? `webhooks.${name}` : name
  const place = method === undefined ? path : `${method} ${path}`
  return { place, subject: isWebhook ? `the webhook ${show(name)}` : undefined, length }
}

/** Returns the callback that keys have at a position. */
function findCallback(keys: readonly string[], start: number): Holder | undefined {
  const [section, name, expression] = keys.slice(start)
  if (section !== 'callbacks' || name === undefined) {
    return undefined
  }

  const place = `callbacks.${name}`
  const subject = `the callback ${show(name)}`
  if (expression === undefined) {
    return { place, subject, length: start + 2 }
  }

  const { method, length } = findMethod(keys, start + 3)
  const request = method === undefined ? expression : `${method} ${expression}`
  return { place, subject: `${subject} (${show(request)})`, length }
}

/** Returns the method that keys have at a position, and how many keys there are up to it. */
function findMethod(keys: readonly string[], start: number) {
  const [key = '', name] = keys.slice(start)
  if (allMethods.includes(key)) {
    return { method: key.toUpperCase(), length: start + 1 }
  }
  const isNamed = key === 'additionalOperations' && name !== undefined
  return isNamed ? { method: name, length: start + 2 } : { method: undefined, length: start }
}

/** Returns the words for what a pointer points at, such as "`name` of `Order`". */
export function toSubject(
  pointer: string,
  file: string,
  valueAt: (pointer: string) => unknown,
  isFirstFile = true,
): string {
  const keys = pointerKeys(pointer)
  const holders = findHolders(keys)
  const subjects = holders.flatMap(({ subject = [] }) => subject)

  const start = holders.at(-1)?.length ?? 0
  const innerParts = keys.slice(start).map((_, index) => {
    return toPart(keys.slice(0, start + index + 1), valueAt)
  })

  const parts = [...subjects, ...innerParts].filter((part) => part !== undefined)
  if (parts.length === 0) {
    return toPlace(isFirstFile ? pointer : '#', file)
  }
  // The innermost comes first: "`name` of `Order`".
  return parts.toReversed().join(' of ')
}

/** Returns the words for what some keys lead to; undefined for keys that people need no word for. */
function toPart(
  keys: readonly string[],
  valueAt: (pointer: string) => unknown,
): string | undefined {
  const [section, kind] = keys
  const [key = '', parent] = keys.toReversed()
  if (parent === 'parameters') {
    const { name, in: location } = toObject(valueAt(toPointer(keys)))
    return name === undefined ? `parameter ${key}` : `the ${location} parameter ${show(name)}`
  }
  if (section === 'components' && keys.length === 3) {
    return kind === 'headers' ? `the header ${show(key)}` : show(key)
  }
  if (parent === 'headers') {
    return `the header ${show(key)}`
  }
  if (parent === 'responses' || parent === 'x-undeclared-operations') {
    return `the response ${key}`
  }
  if (section === 'x-common' && keys.length === 3) {
    return toCommonPart(key, kind)
  }
  return parent === 'content' ? undefined : toInnerPart(key, parent)
}

function toCommonPart(key: string, kind = ''): string {
  return /headers$/i.test(kind) ? `the header ${show(key)}` : `the response ${key}`
}

function toInnerPart(key: string, parent: string | undefined): string | undefined {
  if (parent === 'properties' || parent === 'patternProperties') {
    return show(key)
  }
  if (key === 'x-framing-response') {
    return 'the response to malformed HTTP'
  }
  if (key === 'requestBody') {
    return 'the body'
  }
  if (key === 'not') {
    return '`not`'
  }
  if (parent === 'prefixItems') {
    return `item ${key}`
  }
  if (/^(?:additional|unevaluated)Properties$/.test(key)) {
    return 'each other property'
  }
  return /^(?:items|unevaluatedItems)$/.test(key) ? 'each item' : undefined
}
