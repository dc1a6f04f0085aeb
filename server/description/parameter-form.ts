import { entriesOf } from './fields.ts'
import { type JsonObject, toList } from './json.ts'
import type { Located } from './location.ts'
import { findKeyword, type References } from './schemas.ts'

/** The styles of parameters that the service reads, by their location; the first is the default of OpenAPI. */
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple'],
  header: ['simple'],
  cookie: ['form'],
  query: ['form', 'spaceDelimited', 'pipeDelimited'],
}

/** Returns whether a parameter has a style that the service reads in its location. */
export function hasReadStyle({ in: location, style }: JsonObject): boolean {
  return style === undefined || styles[String(location)]?.includes(String(style)) === true
}

/**
 * Returns the form of a parameter that the service does not read, or undefined if it reads it: values of
 * one simple type, and in the query arrays of them.
 */
export function findUnreadForm(
  { in: location, style, schema, content }: JsonObject,
  file: string,
  references: References,
): string | undefined {
  if (content !== undefined) {
    return 'a parameter with content'
  }
  if (!hasReadStyle({ in: location, style })) {
    return `the style ${style} in the ${location}`
  }
  const node = { file, pointer: '#', value: schema }
  const type = findKeyword(node, 'type', references)
  const [only = 'string', ...more] = typesOf(node, references)
  if ([only, ...more].includes('null')) {
    return 'null, which no text is'
  }
  if (more.length > 0) {
    return `values of several types (${[only, ...more].join(', ')})`
  }
  if (type === undefined && only !== 'string') {
    return 'an enum, const, anyOf or oneOf with no type beside it'
  }
  if (only === 'object') {
    return `an object in the ${location}`
  }
  if (only !== 'array') {
    return isForArrays(style) ? `the style ${style} of one value` : undefined
  }
  if (location !== 'query') {
    return `an array in the ${location}`
  }
  const items = findKeyword(node, 'items', references)
  const [item = 'string', ...others] = typesOf(items, references)
  if (others.length > 0) {
    return 'items of several types'
  }
  return ['array', 'object', 'null'].includes(item) ? `items of type ${item}` : undefined
}

function isForArrays(style: unknown): boolean {
  return style === 'spaceDelimited' || style === 'pipeDelimited'
}

/** Returns the types of the values that a schema allows, as far as it names types or values. */
function typesOf(
  schema: Located | undefined,
  references: References,
  passed: readonly unknown[] = [],
): readonly string[] {
  // A schema may be part of itself.
  if (schema === undefined || passed.includes(schema.value)) {
    return []
  }

  const read = (keyword: string) => findKeyword(schema, keyword, references)
  const type = read('type')?.value
  if (type !== undefined) {
    return [type].flat().map(String)
  }

  const constant = read('const')
  const values = constant === undefined ? toList(read('enum')?.value) : [constant.value]
  const ofValues = values.map((value) => (value === null ? 'null' : typeof value))
  const branches = [read('anyOf'), read('oneOf')].flatMap((list) => (list ? entriesOf(list) : []))
  const within = [...passed, schema.value]
  const ofBranches = branches.flatMap((branch) => typesOf(branch, references, within))
  return [...new Set([...ofValues, ...ofBranches])]
}
