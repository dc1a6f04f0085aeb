import type { Documents } from '../description/documents.ts'
import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'
import type { Located } from '../description/location.ts'
import { partsOf } from '../description/schemas.ts'
import { withChosenForm } from './chosen-form.ts'

/** The direction in which values are sent: to the service or by it. */
export type Direction = 'request' | 'response'

/** The keyword of properties that are rejected in a direction. */
export const rejectingKeywords = { request: 'readOnly', response: 'writeOnly' } as const

/** The name under which Ajv knows the description: a schema may be compiled outside of it. */
export const documentId = 'description'

/**
 * Copies schemas of a description for Ajv: properties that are rejected in a direction are neither required
 * nor have a default, and a discriminator chooses the form.
 */
export class SchemaAdapter {
  readonly #documents: Documents
  readonly #rejecting: string

  constructor(documents: Documents, direction: Direction) {
    this.#documents = documents
    this.#rejecting = rejectingKeywords[direction]
  }

  /** Returns a copy of an object, with all schemas in it. */
  adapt(node: JsonObject): JsonObject {
    return this.#adaptObject(node, [])
  }

  #adapt(node: unknown, rejected: readonly string[]): unknown {
    if (Array.isArray(node)) {
      return node.map((item) => this.#adapt(item, rejected))
    }
    return isObject(node) ? this.#adaptObject(node, rejected) : node
  }

  /** `rejected` are the properties of a schema that this one is a part of, as far as they are rejected. */
  #adaptObject(node: JsonObject, rejected: readonly string[]): JsonObject {
    const all = [...rejected, ...this.#rejectedIn(node)]
    const members = Object.entries(node).map(([key, child]) => {
      return [key, this.#adapt(child, key === 'allOf' ? all : [])] as const
    })
    // Not by assignment, which sets the prototype if a property is called `__proto__`.
    const copy = Object.fromEntries(members)
    const required = toList(node['required'])
    if (Array.isArray(node['required'])) {
      copy['required'] = required.filter((name) => !all.includes(String(name)))
    }
    if (typeof node['$ref'] === 'string') {
      copy['$ref'] = toReference(node['$ref'])
    }
    if (node[this.#rejecting] === true) {
      delete copy['default']
    }
    if (isObject(copy['properties'])) {
      Object.assign(copy, adaptProperties(copy, required))
    }
    return withChosenForm(withoutEmptyEnum(copy), toReference)
  }

  /** Returns the names of the properties that are rejected, in a schema and in its parts. */
  #rejectedIn(schema: JsonObject): readonly string[] {
    const properties = this.#partsOf(schema).flatMap(({ value }) =>
      Object.entries(toObject(toObject(value)['properties'])),
    )
    const rejected = properties.filter(([, property]) =>
      this.#partsOf(property).some(({ value }) => toObject(value)[this.#rejecting] === true),
    )
    return rejected.map(([name]) => name)
  }

  #partsOf(value: unknown): readonly Located[] {
    // In a bundled description, references are relative to its root.
    return partsOf({ ...this.#documents.root, value }, this.#documents)
  }
}

function toReference(pointer: string): string {
  return `${documentId}${pointer}`
}

/** Replaces an empty `enum`, which no value fits, and which Ajv does not compile. */
function withoutEmptyEnum(schema: JsonObject): JsonObject {
  const { enum: values, ...others } = schema
  const isEmpty = Array.isArray(values) && values.length === 0
  return isEmpty ? { ...others, allOf: [...toList(others['allOf']), false] } : schema
}

/** Returns the properties of a schema as Ajv needs them. */
function adaptProperties(schema: JsonObject, required: readonly unknown[]): JsonObject {
  // Ajv ignores a property of this name, but not a pattern that names it.
  const { ['__proto__']: named, ...others } = toObject(schema['properties'])
  const isNamed = Object.hasOwn(toObject(schema['properties']), '__proto__')
  const properties = Object.entries(others).map(([name, property]) => {
    // Ajv would fill in a default before it finds that the property is missing.
    const isFilledIn = isObject(property) && required.includes(name)
    return [name, isFilledIn ? withoutDefault(property) : property] as const
  })
  const patterns = { ...toObject(schema['patternProperties']), '^__proto__$': named }
  return {
    properties: Object.fromEntries(properties),
    ...(isNamed && { patternProperties: patterns }),
  }
}

function withoutDefault({ default: _, ...schema }: JsonObject): JsonObject {
  return schema
}
