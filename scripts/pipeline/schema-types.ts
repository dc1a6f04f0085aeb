import { dereference, type JsonObject, pointAt, toList, toObject } from './description.ts'
import { printLiteral } from './literal.ts'

// The names that the module of the schemas uses for something else.
const taken = [
  ...['Methods', 'CallResult', 'ListResult', 'CallOptions', 'ListOptions'],
  ...['NonNullable', 'Promise'],
]

/** Returns the name of the type of each schema of the components, by the schema's own name. */
export function nameSchemas(root: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const used = new Set(taken)
  for (const key of Object.keys(schemasOf(root))) {
    const words = key.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== '')
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
    let name = /^\p{ID_Start}/u.test(joined) ? joined : `_${joined}`
    while (used.has(name)) name += '_'
    used.add(name)
    names.set(key, name)
  }
  return names
}

/** Prints a type for each schema of the components. */
export function printSchemaTypes(root: JsonObject, names: ReadonlyMap<string, string>): string {
  const types = [...names].map(([key, name]) => {
    const schema = schemasOf(root)[key]
    const type = `components['schemas'][${printLiteral(key)}]`
    const { description } = toObject(schema)
    const text = typeof description === 'string' ? description.trim().replaceAll(/\s+/g, ' ') : ''
    const comment = text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`
    // A mapped type keeps its name in an editor, where an alias shows what it stands for.
    const named = `{ [Key in keyof ${type}]: ${type}[Key] }`
    return `\n${comment}export type ${name} = ${isObjectType(root, schema) ? named : type}\n`
  })
  return types.join('')
}

/** Returns the type of a schema: by its name where it has one, else as it is given. */
export function printType(
  root: JsonObject,
  names: ReadonlyMap<string, string>,
  schema: unknown,
  type: string,
): string {
  const { $ref } = toObject(schema)
  const prefix = '#/components/schemas/'
  if (typeof $ref !== 'string' || !$ref.startsWith(prefix)) return type
  const key = decodeURIComponent($ref.slice(prefix.length))
  const name = names.get(key.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (name === undefined) return type
  const { type: kind, items, prefixItems, nullable } = toObject(pointAt(root, $ref))
  const isList = kind === 'array' && prefixItems === undefined && nullable !== true
  const item = isList ? printType(root, names, items, '') : ''
  return item === '' ? name : `${item}[]`
}

function schemasOf(root: JsonObject): JsonObject {
  return toObject(toObject(root['components'])['schemas'])
}

/** Returns whether a schema has the type of one object: no union, list or primitive. */
function isObjectType(root: JsonObject, schema: unknown, depth = 0): boolean {
  const { type, properties, allOf, oneOf, anyOf, nullable, ...more } = dereference(root, schema)
  if (oneOf !== undefined || anyOf !== undefined || nullable === true || depth > 9) return false
  if ('enum' in more || 'const' in more) return false
  const parts = toList(allOf)
  if (!parts.every((part) => isObjectType(root, part, depth + 1))) return false
  return type === 'object' || (type === undefined && (properties !== undefined || parts.length > 0))
}
