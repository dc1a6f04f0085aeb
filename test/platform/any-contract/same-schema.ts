import type { Document, Located } from './document.ts'
import { isList, isObject, type Json, type JsonObject, show, toList, toObject } from './json.ts'

/** Keywords whose values must stay. */
const kept = [
  ...['const', 'minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems'],
  ...['uniqueItems', 'multipleOf', 'minProperties', 'maxProperties'],
]
/** Limits that OpenAPI 3.0 writes in another way when they are exclusive. */
const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
/** Keywords whose value is a schema, or a list of schemas. */
const single = ['items', 'additionalProperties', 'not']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Two documents: the description, and the one that is served. */
export interface Pair {
  readonly before: Document
  readonly after: Document
}

/** Returns what a served schema requires else than the described one, by pointers from the schema. */
export function listSchemaChanges(
  { before, after }: Pair,
  described: Located | undefined,
  served: Located | undefined,
): readonly string[] {
  const changes: string[] = []
  const compared = new Set<string>()

  function compare(left: Located | undefined, right: Located | undefined, at: string): void {
    if (left === undefined || right === undefined) {
      if (left !== undefined) {
        changes.push(`${at} was removed`)
      }
      return
    }
    if (!isObject(left.value) || !isObject(right.value)) {
      return
    }
    const own = before.follow(left)
    const other = withoutNull(after, after.follow(right), own.value['nullable'] === true)
    const place = `${own.file}#${own.pointer}`
    if (compared.has(place)) {
      return
    }
    compared.add(place)
    changes.push(...listKeywordChanges(own.value, other.value, at))
    compareParts(own, other, at)
  }

  function compareParts(own: Located<JsonObject>, other: Located<JsonObject>, at: string): void {
    for (const name of Object.keys(toObject(own.value['properties']))) {
      const [left, right] = [
        before.at(own, 'properties', name),
        after.at(other, 'properties', name),
      ]
      compare(left, right, `${at}/properties/${name}`)
    }
    for (const key of single.filter((name) => isObject(own.value[name]))) {
      compare(before.at(own, key), after.at(other, key), `${at}/${key}`)
    }
    for (const key of lists) {
      const [left, right] = [toList(own.value[key]), toList(other.value[key])]
      if (left.length > 0 && left.length !== right.length) {
        changes.push(`${at}/${key} has ${right.length} schemas, not ${left.length}`)
        continue
      }
      for (const index of left.keys()) {
        const parts = [key, String(index)] as const
        compare(before.at(own, ...parts), after.at(other, ...parts), `${at}/${parts.join('/')}`)
      }
    }
  }

  compare(described, served, '')
  return changes
}

/** Returns the schema that a null was added to as another form. */
function withoutNull(
  document: Document,
  schema: Located<JsonObject>,
  isNullable: boolean,
): Located<JsonObject> {
  const forms = toList(schema.value['anyOf'] ?? schema.value['oneOf'])
  const index = forms.findIndex((form) => toObject(form)['type'] !== 'null')
  if (!isNullable || forms.length !== 2 || index < 0) {
    return schema
  }
  const key = schema.value['anyOf'] === undefined ? 'oneOf' : 'anyOf'
  return document.follow(document.at(schema, key, String(index)))
}

function listKeywordChanges(own: JsonObject, other: JsonObject, at: string): readonly string[] {
  const isOldLimit = limits.some((key) => typeof own[key] === 'boolean')
  const keywords = isOldLimit ? kept : [...kept, ...limits]
  const changed = keywords.filter((key) => show(own[key]) !== show(other[key]))
  const changes = changed.map((key) => `${at}/${key} is ${show(other[key])}, not ${show(own[key])}`)

  const sets = {
    properties: [keysOf(own['properties']), keysOf(other['properties'])],
    required: [textsOf(own['required']), textsOf(other['required'])],
    enum: [textsOf(own['enum']), textsOf(other['enum'])],
    type: [typesOf(own), typesOf(other)],
  }
  for (const [key, [left, right]] of Object.entries(sets)) {
    if (left !== right && !(key === 'type' && (left === '' || left === 'null'))) {
      changes.push(`${at}/${key} is ${right}, not ${left}`)
    }
  }
  const [property, otherProperty] = [own, other].map(
    (schema) => toObject(schema['discriminator'])['propertyName'],
  )
  return property === otherProperty ? changes : [...changes, `${at}/discriminator was changed`]
}

function keysOf(value: Json | undefined): string {
  return Object.keys(toObject(value)).sort().join(', ')
}

function textsOf(value: Json | undefined): string {
  const values = toList(value).filter((item) => item !== null)
  return values.map(show).sort().join(', ')
}

function typesOf({ type, nullable }: JsonObject): string {
  const types = isList(type) ? type.map(String) : type === undefined ? [] : [String(type)]
  const all = nullable === true ? [...types, 'null'] : types
  return [...new Set(all)].sort().join(', ')
}
