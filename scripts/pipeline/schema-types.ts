import type { Description, MediaType } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { childOf } from '../../server/description/fields.ts'
import { toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { pointerKeys } from '../../server/description/pointer.ts'
import { partsOf } from '../../server/description/schemas.ts'
import { kindOfContent, preferredContent } from './call-content.ts'
import { printComment } from './doc-comments.ts'
import { printLiteral } from './literal.ts'
import { schemasOf, type TypeNames } from './type-names.ts'

/** Prints a type for each schema of the components. */
export function printSchemaTypes(model: Description, { schemas }: TypeNames): string {
  const { documents } = model
  const types = Array.from(schemasOf(model), ([key, schema]) => {
    const name = schemas.get(key) ?? key
    const type = `components['schemas'][${printLiteral(key)}]`
    const { description } = toObject(schema.value)
    const comment = printComment(description)
    const printed = isObjectType(schema, documents) ? printNamed(type) : type
    return `\n${comment}export type ${name} = ${printed}\n`
  })
  return types.join('')
}

/** Prints the type of an object as a mapped one, which an editor shows by its name; an alias, by its content. */
export function printNamed(type: string): string {
  return `{ [Key in keyof ${type}]: ${type}[Key] }`
}

/** Returns the type of a schema, and of the items of a list, by name; else the type as given. */
export function printType(
  model: Description,
  names: TypeNames,
  schema: Located | undefined,
  type: string,
): string {
  if (schema === undefined) {
    return type
  }
  const { documents } = model
  const target = documents.target(schema)
  const { type: kind, prefixItems } = toObject(target.value)
  const isList = kind === 'array' && prefixItems === undefined
  const item = isList ? printType(model, names, childOf(target, 'items'), '') : ''
  if (item !== '') {
    return `${item}[]`
  }
  const next = documents.next(schema)
  const [components, kindOfComponent, key = '', ...deeper] = pointerKeys(next?.pointer ?? '')
  const isNamed =
    components === 'components' && kindOfComponent === 'schemas' && deeper.length === 0
  return isNamed ? (names.schemas.get(key) ?? type) : type
}

/** Returns whether a schema has the type of one object: no union, list or primitive. */
function isObjectType(schema: Located, documents: Documents): boolean {
  const parts = partsOf(schema, documents)
  const keywords = new Set(parts.flatMap(({ value }) => Object.keys(toObject(value))))
  const isOneOf = ['oneOf', 'anyOf', 'enum', 'const'].some((keyword) => keywords.has(keyword))
  if (isOneOf) {
    return false
  }

  const types = parts
    .map(({ value }) => toObject(value)['type'])
    .filter((type) => type !== undefined)
  const isUntyped = types.length === 0
  return isUntyped ? keywords.has('properties') : types.every((type) => type === 'object')
}

/** Returns the type of JSON content, or of the first media type; undefined where there is none. */
export function printContent(
  description: Description,
  names: TypeNames,
  content: readonly MediaType[],
  parent: string,
): string | undefined {
  const media = preferredContent(content)
  if (media === undefined) {
    return undefined
  }
  const type = `${parent}['content'][${printLiteral(media.name)}]`
  // The schema of other content than JSON says little about its type.
  const schema = ['json', 'form'].includes(kindOfContent(media)) ? media.schema : undefined
  return printType(description, names, schema, type)
}
