import { basename } from 'node:path'
import { pointerKeys, toObject, toPointer } from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-entries.ts'
import { show } from './rules/rule.ts'

/**
 * Returns where something is, for people: `GET /orders`, `components.schemas.Order`, `info`, or the
 * file if it is all of that.
 */
export function toPlace(pointer: string, file: string): string {
  const [section = `the file ${basename(file)}`, name, method] = pointerKeys(pointer)
  if (section === 'x-undeclared-operations' || section === 'x-framing-response') {
    return 'undeclared operations'
  }
  if (name === undefined) return section
  if (section === 'paths') {
    return methods.includes(method ?? '') ? `${method?.toUpperCase()} ${name}` : name
  }
  return section === 'components' && method !== undefined ? `components.${name}.${method}` : section
}

/** Returns the words for what a pointer points at, such as "`name` of `Order`". */
export function toSubject(
  pointer: string,
  file: string,
  find: (pointer: string) => unknown,
  isFirstFile = true,
): string {
  const segments = pointerKeys(pointer)
  const parts: string[] = []
  for (const index of segments.keys()) {
    const part = toPart(segments.slice(0, index + 1), find)
    if (part !== undefined) parts.unshift(part)
  }
  return parts.join(' of ') || toPlace(isFirstFile ? pointer : '#', file)
}

function toPart(
  segments: readonly string[],
  find: (pointer: string) => unknown,
): string | undefined {
  const [section, kind, third] = segments
  const [key = '', parent] = segments.toReversed()
  if (parent === 'parameters') {
    const { name, in: location } = toObject(find(toPointer(segments)))
    return name === undefined ? `parameter ${key}` : `the ${location} parameter ${show(name)}`
  }
  if (section === 'components' && segments.length === 3) {
    return kind === 'headers' ? `the header ${show(third)}` : show(third)
  }
  if (parent === 'headers') return `the header ${show(key)}`
  if (parent === 'responses' || parent === 'x-undeclared-operations') return `the response ${key}`
  if (section === 'x-common' && segments.length === 3) return toCommonPart(key, kind)
  return parent === 'content' ? undefined : toInnerPart(key, parent)
}

function toCommonPart(key: string, kind = ''): string {
  return /headers$/i.test(kind) ? `the header ${show(key)}` : `the response ${key}`
}

function toInnerPart(key: string, parent: string | undefined): string | undefined {
  if (parent === 'properties' || parent === 'patternProperties') return show(key)
  if (key === 'x-framing-response') return 'the response to malformed HTTP'
  if (key === 'requestBody') return 'the body'
  if (key === 'not') return '`not`'
  if (parent === 'prefixItems') return `item ${key}`
  if (/^(?:additional|unevaluated)Properties$/.test(key)) return 'each other property'
  return /^(?:items|unevaluatedItems)$/.test(key) ? 'each item' : undefined
}
