import { childOf, childrenOf } from './fields.ts'
import { isObject, type JsonObject, toList, toObject } from './json.ts'
import type { Located } from './location.ts'
import { compilePattern } from './pattern.ts'
import { partsOf, type References } from './schemas.ts'

/** What a schema says of a value that is written as text: the types that decide how the text is read. */
export interface Shape {
  /** The types of the value; absent where the schema names none. */
  readonly type?: string | readonly string[]
  /** Of the items of an array. */
  readonly items?: Shape
  /** Of the members of an object. */
  readonly properties?: Readonly<Record<string, Shape>>
  /** Of its other members; absent where they are texts of any kind, false where there are none. */
  readonly additionalProperties?: Shape | false
  /** Whether the empty text is a value. */
  readonly emptyText?: true
}

/** Returns the shape of the values of a schema. */
export function readShape(schema: Located | undefined, references: References): Shape {
  return schema === undefined ? {} : readShapeOf(schema, references, [])
}

/** `passed` are the schemas that this one is part of: a schema that is part of itself ends there. */
function readShapeOf(schema: Located, references: References, passed: readonly unknown[]): Shape {
  if (isObject(schema.value) && passed.includes(schema.value)) {
    return {}
  }

  const within = [...passed, schema.value]
  const read = (node: Located) => readShapeOf(node, references, within)
  const parts = partsOf(schema, references)
  const forms = parts.flatMap((part) => [
    ...childrenOf(part, 'anyOf'),
    ...childrenOf(part, 'oneOf'),
  ])
  const shapes = forms.map(read)
  const [first = {}, ...otherShapes] = shapes
  const ofForms = otherShapes.reduce(unite, first)

  const values = parts.map(({ value }) => toObject(value))
  const types = readTypes(values, ofForms)
  const isText = types === undefined || types.includes('string')
  const isEmptyAllowed = isText && (shapes.length === 0 || shapes.some(hasEmptyText))
  return {
    ...(types !== undefined && { type: simplify(types) }),
    ...readItems(parts, ofForms, read),
    ...readMembers(parts, ofForms, read),
    ...(isEmptyAllowed && values.every(acceptsEmptyText) && { emptyText: true }),
  }
}

function hasEmptyText({ emptyText }: Shape): boolean {
  return emptyText === true
}

/** Returns the types that the parts of a schema name, or imply; undefined for any. */
function readTypes(parts: readonly JsonObject[], ofForms: Shape): readonly string[] | undefined {
  const stated = parts.map(({ type }) => type).find((type) => type !== undefined)
  if (stated !== undefined) {
    return [stated].flat().map(String)
  }

  const values = parts.flatMap((part) => ('const' in part ? [part['const']] : toList(part['enum'])))
  if (values.length > 0) {
    return [...new Set(values.map(typeOf))]
  }
  if (ofForms.type !== undefined) {
    return [ofForms.type].flat()
  }

  const has = (keywords: readonly string[]) =>
    parts.some((part) => keywords.some((keyword) => keyword in part))
  if (has(['properties', 'additionalProperties', 'patternProperties'])) {
    return ['object']
  }
  return has(['items', 'prefixItems']) ? ['array'] : undefined
}

function typeOf(value: unknown): string {
  if (value === null) {
    return 'null'
  }
  if (Array.isArray(value)) {
    return 'array'
  }
  return Number.isInteger(value) ? 'integer' : typeof value
}

function readItems(
  parts: readonly Located[],
  ofForms: Shape,
  read: (node: Located) => Shape,
): Pick<Shape, 'items'> {
  const stated = parts.map((part) => childOf(part, 'items')).filter(isStated)
  const first = parts.flatMap((part) => childrenOf(part, 'prefixItems'))
  const [shape, ...otherShapes] = [...stated.slice(0, 1), ...first].map(read)
  if (shape !== undefined) {
    return { items: otherShapes.reduce(unite, shape) }
  }
  return ofForms.items === undefined ? {} : { items: ofForms.items }
}

function readMembers(
  parts: readonly Located[],
  ofForms: Shape,
  read: (node: Located) => Shape,
): Pick<Shape, 'properties' | 'additionalProperties'> {
  const stated = parts.flatMap((part) => childrenOf(part, 'properties'))
  const ofParts = stated.map((property) => [property.key, read(property)] as const).reverse()
  const properties = Object.fromEntries([...Object.entries(ofForms.properties ?? {}), ...ofParts])
  const otherMembers = readOtherMembers(parts, read) ?? ofForms.additionalProperties
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(otherMembers !== undefined && { additionalProperties: otherMembers }),
  }
}

function readOtherMembers(
  parts: readonly Located[],
  read: (node: Located) => Shape,
): Shape | false | undefined {
  const keywords = ['additionalProperties', 'unevaluatedProperties']
  const stated = parts
    .flatMap((part) => keywords.map((keyword) => childOf(part, keyword)))
    .find(isStated)
  const byPattern = parts.flatMap((part) => childrenOf(part, 'patternProperties')).map(read)
  const [first, ...more] = byPattern
  if (first !== undefined) {
    return more.reduce(unite, first)
  }
  if (stated === undefined || stated.value === true) {
    return undefined
  }
  return stated.value === false ? false : read(stated)
}

function isStated({ value }: Located): boolean {
  return value !== undefined
}

/** Returns whether the keywords of a schema that are about texts allow the empty one. */
function acceptsEmptyText(schema: JsonObject): boolean {
  const { minLength, pattern, format, enum: values } = schema
  const isLong = typeof minLength === 'number' && minLength > 0
  const isOther = Array.isArray(values) && !values.includes('')
  if (isLong || isOther || format !== undefined) {
    return false
  }
  if ('const' in schema && schema['const'] !== '') {
    return false
  }
  return typeof pattern !== 'string' || compilePattern(pattern).test('')
}

/** Returns the shape of values of either of two. */
function unite(one: Shape, other: Shape): Shape {
  const items = uniteParts(one.items, other.items)
  const names = new Set([one, other].flatMap(({ properties }) => Object.keys(properties ?? {})))
  const properties = Array.from(names, (name) => {
    const member = uniteParts(ownOf(one.properties, name), ownOf(other.properties, name))
    return [name, member ?? {}] as const
  })
  const isClosed = one.additionalProperties === false && other.additionalProperties === false
  const additional = uniteParts(
    one.additionalProperties || undefined,
    other.additionalProperties || undefined,
  )
  // A form without a type allows every one.
  const isTyped = one.type !== undefined && other.type !== undefined
  const types = isTyped ? [...new Set([one.type, other.type].flat())] : []
  return {
    ...(isTyped && { type: simplify(types) }),
    ...(items !== undefined && { items }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(isClosed && { additionalProperties: false as const }),
    ...(additional !== undefined && { additionalProperties: additional }),
    ...((one.emptyText || other.emptyText) && { emptyText: true as const }),
  }
}

function uniteParts(one: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (one === undefined || other === undefined) {
    return one ?? other
  }
  return unite(one, other)
}

function ownOf(shapes: Shape['properties'] = {}, name: string): Shape | undefined {
  return Object.hasOwn(shapes, name) ? shapes[name] : undefined
}

/** Returns one type as it is, and several as a list. */
function simplify(types: readonly string[]): string | readonly string[] {
  const [only = '', ...otherTypes] = types
  return otherTypes.length === 0 ? only : types
}
