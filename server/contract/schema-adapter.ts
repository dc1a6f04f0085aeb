import { type Documents, isOnOtherHost } from '../description/documents.ts'
import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'
import { withoutMarkedRequirements } from '../description/marked-requirements.ts'
import { convertDescription, editNodes, type NodeKind, ofSchemas } from '../description/nodes.ts'
import { isMarked, type Mark } from '../description/schemas.ts'
import { withChosenForm } from './chosen-form.ts'

/** The direction in which values are sent: to the service or by it. */
export type Direction = 'request' | 'response'

/** The mark of properties that are not sent in a direction. */
const marks = { request: 'readOnly', response: 'writeOnly' } as const

/** The name under which Ajv knows the description: a schema may be compiled outside of it. */
export const documentId = 'description'

/**
 * Copies schemas of a description for Ajv: properties that are not sent in a direction are neither required
 * nor have a default, and a discriminator chooses the form.
 */
export class SchemaAdapter {
  readonly #documents: Documents
  readonly #mark: Mark

  constructor(documents: Documents, direction: Direction) {
    this.#documents = documents
    this.#mark = marks[direction]
  }

  /** Returns a copy of the description. */
  adaptDescription(): JsonObject {
    const description = toObject(this.#documents.root.value)
    return convertDescription(description, (value, kind) => this.#adapt(value, kind))
  }

  /** Returns a copy of a schema that may refer to parts of the description. */
  adapt(schema: JsonObject): JsonObject {
    return toObject(this.#adapt(schema, 'schema'))
  }

  #adapt(value: unknown, kind: NodeKind): unknown {
    // The parts of a schema are followed by their references in the description, which are edited last.
    const chosen = editNodes(
      value,
      kind,
      ofSchemas((schema) => withChosenForm(schema, this.#documents)),
    )
    const withoutMarked = withoutMarkedRequirements(chosen, kind, this.#mark, this.#documents)
    const adapted = editNodes(
      withoutMarked,
      kind,
      ofSchemas((schema) => this.#adaptProperties(withoutEmptyEnum(schema))),
    )
    return editNodes(
      adapted,
      kind,
      ofSchemas((schema) => this.#toOwnReference(schema)),
    )
  }

  /** Returns a schema whose reference is one to the description as Ajv knows it. */
  #toOwnReference(schema: JsonObject): JsonObject {
    // A part that was written in place has the anchor twice, which Ajv does not compile; references lead from
    // the root of the description, and an `$id` would give them another base.
    const { $anchor: _, $id: __, ...otherKeywords } = schema
    const { $ref } = schema
    if (typeof $ref !== 'string') {
      return otherKeywords
    }
    if (isOnOtherHost({ value: schema })) {
      // It is not read, and what has it is not served.
      const { $ref: ___, ...beside } = otherKeywords
      return beside
    }
    const target = this.#documents.tryNext({ ...this.#documents.root, value: schema })
    return { ...otherKeywords, $ref: `${documentId}${target?.pointer ?? $ref}` }
  }

  /** Returns a schema whose properties are as Ajv needs them. */
  #adaptProperties(schema: JsonObject): JsonObject {
    if (!isObject(schema['properties'])) {
      return schema
    }

    // Ajv ignores a property of this name, but not a pattern that names it.
    const { ['__proto__']: named, ...otherProperties } = schema['properties']
    const required = toList(schema['required'])
    const properties = Object.entries(otherProperties).map(([name, property]) => {
      // Ajv would fill in a default before it finds that the property is missing.
      const isFilledIn = !(required.includes(name) || this.#isMarked(property))
      return [name, isFilledIn ? property : withoutDefault(property)] as const
    })
    const adapted = { ...schema, properties: Object.fromEntries(properties) }
    if (!Object.hasOwn(schema['properties'], '__proto__')) {
      return adapted
    }
    const patterns = { ...toObject(schema['patternProperties']), '^__proto__$': named }
    return { ...adapted, patternProperties: patterns }
  }

  #isMarked(property: unknown): boolean {
    // In a bundled description, references are relative to its root.
    return isMarked({ ...this.#documents.root, value: property }, this.#mark, this.#documents)
  }
}

/** Replaces an empty `enum`, which no value fits, and which Ajv does not compile. */
function withoutEmptyEnum(schema: JsonObject): JsonObject {
  const { enum: values, ...otherKeywords } = schema
  const isEmpty = Array.isArray(values) && values.length === 0
  return isEmpty ? { ...otherKeywords, allOf: [...toList(otherKeywords['allOf']), false] } : schema
}

function withoutDefault(schema: unknown): unknown {
  if (!isObject(schema)) {
    return schema
  }
  const { default: _, ...otherKeywords } = schema
  return otherKeywords
}
