import { valuesOfForm } from '../description/discriminators.ts'
import type { Documents } from '../description/documents.ts'
import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'
import type { Located } from '../description/location.ts'
import { withoutMarkedRequirements } from '../description/marked-requirements.ts'
import { editNodes, ofSchemas } from '../description/nodes.ts'
import { pointerKeys } from '../description/pointer.ts'
import { isMarked } from '../description/schemas.ts'
import { UniqueNames } from './unique-names.ts'

/** Keywords of OpenAPI that JSON Schema does not have, and those that give references another base. */
const omitted: ReadonlySet<string> = new Set([
  'discriminator',
  'xml',
  'externalDocs',
  'example',
  '$id',
  '$anchor',
])

/**
 * Writes schemas of a description as JSON Schema 2020-12 for the input of one tool: references lead to `$defs`, and
 * properties that are sent in responses alone are omitted.
 */
export class ToolSchemaWriter {
  /** The schemas that those written refer to, by name. */
  readonly definitions = new Map<string, unknown>()
  readonly #documents: Documents
  readonly #names = new UniqueNames('schema')
  /** The names of definitions by the pointers of their schemas. */
  readonly #nameOf = new Map<string, string>()

  constructor(documents: Documents) {
    this.#documents = documents
  }

  /** Returns a schema as a tool has it. */
  write(schema: unknown): unknown {
    const withoutMarked = withoutMarkedRequirements(schema, 'schema', 'readOnly', this.#documents)
    // Both look behind references of the description, which are replaced last.
    const selected = editNodes(
      withoutMarked,
      'schema',
      ofSchemas((node) => this.#withNamedForms(this.#withoutReadOnly(node))),
    )
    return editNodes(
      selected,
      'schema',
      ofSchemas((node) => this.#withOwnReference(withoutOthersKeywords(node))),
    )
  }

  #withoutReadOnly(schema: JsonObject): JsonObject {
    if (!isObject(schema['properties'])) {
      return schema
    }
    const properties = Object.entries(schema['properties'])
    const kept = properties.filter(
      ([, property]) => !isMarked(this.#locate(property), 'readOnly', this.#documents),
    )
    return { ...schema, properties: Object.fromEntries(kept) }
  }

  /** Returns a schema whose forms have the values of the discriminator, which JSON Schema does not have. */
  #withNamedForms(schema: JsonObject): JsonObject {
    const { discriminator } = schema
    const keyword = Array.isArray(schema['oneOf']) ? 'oneOf' : 'anyOf'
    if (!isObject(discriminator) || !Array.isArray(schema[keyword])) {
      return schema
    }

    const name = String(discriminator['propertyName'])
    const forms = toList(schema[keyword]).map((form) => {
      // Others have the property themselves.
      if (typeof toObject(form)['$ref'] !== 'string') {
        return form
      }
      const values = valuesOfForm(this.#locate(form), discriminator, this.#documents)
      const ofForm = { properties: { [name]: { enum: [...values] } }, required: [name] }
      return { ...toObject(form), ...ofForm }
    })
    return { ...schema, [keyword]: forms }
  }

  #withOwnReference(schema: JsonObject): JsonObject {
    const { $ref, ...beside } = schema
    if ($ref === undefined) {
      return schema
    }
    const target = this.#documents.tryNext(this.#locate(schema))
    return target === undefined ? beside : { ...beside, $ref: `#/$defs/${this.#define(target)}` }
  }

  /** Adds the target of a reference to the definitions; returns its name. */
  #define({ pointer, value }: Located): string {
    const existingName = this.#nameOf.get(pointer)
    if (existingName !== undefined) {
      return existingName
    }

    const name = this.#names.add(pointerKeys(pointer).at(-1) ?? '')
    // A schema may refer to itself.
    this.#nameOf.set(pointer, name)
    this.definitions.set(name, this.write(value))
    return name
  }

  #locate(value: unknown): Located {
    // In a bundled description, references are relative to its root.
    return { ...this.#documents.root, value }
  }
}

/** Returns a schema without the keywords that JSON Schema does not have. */
function withoutOthersKeywords(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(
    ([keyword]) => !omitted.has(keyword) && !keyword.startsWith('x-'),
  )
  const { example } = schema
  const examples = example === undefined || 'examples' in schema ? {} : { examples: [example] }
  return { ...Object.fromEntries(kept), ...examples }
}
