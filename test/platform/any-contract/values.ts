import { generateSync } from 'json-schema-faker'
import type { Document, Located } from './document.ts'
import { isObject, type Json, type JsonObject, toList, toObject, toText } from './json.ts'
import { validate } from './schemas.ts'

/** Which members a value has: those that are required, or all. */
export type Extent = 'required' | 'all'

/** How deep a value goes: below this, only what is required is made. */
const depthOfAll = 3
/** How deep a value may be at all. */
const depthLimit = 12

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  duration: 'P1D',
  uuid: '6c7bb1c7-2f0b-4a47-9d0e-7c5a7f3d2b11',
  email: 'ada@example.org',
  hostname: 'host.example',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://host.example/a',
  'uri-reference': '/a',
  url: 'https://host.example/a',
  byte: 'YWJj',
}

/** Returns a value that a schema allows in a request, first its examples; undefined if none was found. */
export function makeValue(
  document: Document,
  schema: Located,
  extent: Extent,
  examples: readonly Json[] = [],
): Json | undefined {
  const maker = new ValueMaker(document)
  const candidates = [
    ...examples,
    ...maker.makeAll(schema, extent),
    ...maker.makeAll(schema, 'required'),
  ]
  return candidates.find((value) => validate(document, schema, 'request', value).length === 0)
}

/** Returns the examples of a parameter or a media type. */
export function readExamples(document: Document, parent: Located<JsonObject>): readonly Json[] {
  const { example, examples } = parent.value
  const named = Object.keys(toObject(examples)).flatMap((name) => {
    const { value } = document.follow(document.at(parent, 'examples', name)).value
    return value === undefined ? [] : [value]
  })
  return [...(example === undefined ? [] : [example]), ...named]
}

class ValueMaker {
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
  }

  /** Returns candidates for a value: not every one is valid. */
  makeAll(schema: Located, extent: Extent, depth = 0): readonly Json[] {
    const followed = this.#document.follow(schema)
    const { value } = followed
    if (depth > depthLimit) {
      return []
    }
    const { example, examples, const: constant, enum: values, default: usual } = value
    const given = [constant, example, ...toList(examples), usual, ...toList(values)]
    const known = given.filter((candidate) => candidate !== undefined && candidate !== null)
    const forms = this.#makeForms(followed, extent, depth)
    const own = this.#makeOwn(followed, extent, depth)
    if (forms.length === 0) {
      return [...known, ...own]
    }
    // What stands beside `oneOf` applies to each of its forms.
    const merged = forms.flatMap((form) => own.map((base) => merge(base, form)))
    return [...known, ...merged, ...forms]
  }

  #makeForms(schema: Located<JsonObject>, extent: Extent, depth: number): readonly Json[] {
    const key = schema.value['oneOf'] === undefined ? 'anyOf' : 'oneOf'
    const mapped = this.#discriminators(schema)
    return toList(schema.value[key]).flatMap((_, index) => {
      const form = this.#document.at(schema, key, String(index))
      const made = form === undefined ? [] : this.makeAll(form, extent, depth + 1).slice(0, 3)
      return made.flatMap((value) => [value, ...mapped.map((member) => merge(value, member))])
    })
  }

  /** Returns an object for each value of a discriminator's mapping. */
  #discriminators({ value }: Located<JsonObject>): readonly JsonObject[] {
    const { propertyName, mapping } = toObject(value['discriminator'])
    const names = Object.keys(toObject(mapping))
    return propertyName === undefined ? [] : names.map((name) => ({ [toText(propertyName)]: name }))
  }

  #makeOwn(schema: Located<JsonObject>, extent: Extent, depth: number): readonly Json[] {
    const { value } = schema
    const parts = toList(value['allOf']).map((_, index) => {
      const part = this.#document.at(schema, 'allOf', String(index))
      return part === undefined ? [] : this.makeAll(part, extent, depth + 1)
    })
    const own = this.#makeByType(schema, extent, depth)
    if (parts.length === 0) {
      return own === undefined ? [] : [own]
    }
    const chosen = parts.flatMap(([first]) => (first === undefined ? [] : [first]))
    const all = own === undefined ? chosen : [...chosen, own]
    return [all.reduce(merge, {}), ...chosen]
  }

  #makeByType(schema: Located<JsonObject>, extent: Extent, depth: number): Json | undefined {
    const { value } = schema
    const type = [value['type']].flat().find((name) => name !== 'null')
    if (type === 'object' || (type === undefined && isObject(value['properties']))) {
      return this.#makeObject(schema, extent, depth)
    }
    switch (type) {
      case 'array':
        return this.#makeList(schema, extent, depth)
      case 'string':
        return makeText(value)
      case 'integer':
      case 'number':
        return makeNumber(value)
      case 'boolean':
        return true
      default:
        return value['allOf'] === undefined ? 'a' : undefined
    }
  }

  #makeObject(schema: Located<JsonObject>, extent: Extent, depth: number): JsonObject {
    const { required, properties, minProperties = 0, additionalProperties } = schema.value
    const mandatory = toList(required).map(toText)
    const names = Object.keys(toObject(properties))
    const isAll = extent === 'all' && depth < depthOfAll
    const wanted = names.filter((name, index) => {
      return isAll || mandatory.includes(name) || index < Number(minProperties)
    })
    const members = wanted.flatMap((name): readonly (readonly [string, Json])[] => {
      const property = this.#document.at(schema, 'properties', name)
      const isRead = this.#document.follow(property).value['readOnly'] === true
      const [made] =
        property === undefined || isRead ? [] : this.makeAll(property, extent, depth + 1)
      return made === undefined ? [] : [[name, made]]
    })
    const others = mandatory.filter((name) => !names.includes(name))
    const rest = isObject(additionalProperties)
      ? this.#document.at(schema, 'additionalProperties')
      : undefined
    const [other] = rest === undefined ? ['a'] : this.makeAll(rest, extent, depth + 1)
    return {
      ...Object.fromEntries(others.map((name) => [name, other ?? 'a'])),
      ...Object.fromEntries(members),
    }
  }

  #makeList(schema: Located<JsonObject>, extent: Extent, depth: number): readonly Json[] {
    const { items, minItems = 0, prefixItems } = schema.value
    const first = toList(prefixItems).flatMap((_, index) => {
      const item = this.#document.at(schema, 'prefixItems', String(index))
      return item === undefined ? [] : this.makeAll(item, extent, depth + 1).slice(0, 1)
    })
    const item = items === undefined ? undefined : this.#document.at(schema, 'items')
    const made = item === undefined ? ['a'] : this.makeAll(item, extent, depth + 1)
    const count = Math.max(Number(minItems) - first.length, depth < depthOfAll ? 1 : 0)
    const isDistinct = schema.value['uniqueItems'] === true
    const rest = Array.from({ length: count }, (_, index) => (isDistinct ? made[index] : made[0]))
    return [...first, ...rest.filter((value) => value !== undefined)]
  }
}

function makeText({ format, pattern, minLength = 0, maxLength = Infinity }: JsonObject): string {
  if (typeof pattern === 'string') {
    return makeMatch(pattern)
  }
  const known = formats[toText(format)]
  if (known !== undefined) {
    return known
  }
  return 'abcdef'.padEnd(Number(minLength), 'a').slice(0, Number(maxLength))
}

/** Returns a text that a pattern matches. */
function makeMatch(pattern: string): string {
  try {
    return String(generateSync({ type: 'string', pattern }))
  } catch {
    return 'a'
  }
}

function makeNumber(schema: JsonObject): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = Number(multipleOf ?? 1)
  const lowest = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + step : minimum
  const isOpen = exclusiveMinimum === true
  const highest = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - step : maximum
  const low = lowest === undefined ? 1 : Number(lowest) + (isOpen ? step : 0)
  const value = Math.ceil(low / step) * step
  return highest === undefined ? value : Math.min(value, Number(highest))
}

/** Returns the members of two objects; the second value if they are no objects. */
function merge(first: Json, second: Json): Json {
  return isObject(first) && isObject(second) ? { ...first, ...second } : second
}
