import {
  type Documents,
  isOnOtherHost,
  toDocuments,
} from '../../../server/description/documents.ts'
import { isObject, type JsonObject, toObject } from '../../../server/description/json.ts'
import {
  componentName,
  componentSchemas,
  editNodes,
  type NodeKind,
  toComponent,
  withComponentSchemas,
} from '../../../server/description/nodes.ts'
import { pointerKeys } from '../../../server/description/pointer.ts'

/** The components that openapi-typescript refers to as the description does. */
const keptSections: ReadonlySet<string> = new Set(['responses', 'parameters', 'requestBodies'])

/**
 * Replaces the references that openapi-typescript does not understand. A part of a schema, such as
 * `#/components/schemas/Order/properties/lines`, becomes a schema of the components. What is no schema, such
 * as a parameter of another operation, is written in place. So are headers and path items: openapi-typescript
 * would make every header that is a reference a required one, and declare the operations of a shared path item
 * twice. Callbacks are removed: the webhooks have them, and a callback may lead back to the path item that holds it.
 */
export function resolveReferences(description: JsonObject): JsonObject {
  const resolver = new ReferenceResolver(description)
  const resolved = toObject(resolver.resolve(description, 'document'))
  const components = { ...toObject(resolved['components']) }
  // Nothing refers to them any more.
  delete components['pathItems']
  delete components['callbacks']
  const schemas = { ...componentSchemas(resolved), ...resolver.parts() }
  return withComponentSchemas({ ...resolved, components }, schemas)
}

class ReferenceResolver {
  readonly #documents: Documents
  /** The names of the components that there are. */
  readonly #usedNames: Set<string>
  /** The name of the component that each part of a schema becomes, by its pointer. */
  readonly #names = new Map<string, string>()
  readonly #parts = new Map<string, unknown>()
  /** The pointers of what is being written in place: a callback may refer to the path item that holds it. */
  readonly #open = new Set<string>()

  constructor(description: JsonObject) {
    this.#documents = toDocuments(description)
    this.#usedNames = new Set(Object.keys(componentSchemas(description)))
  }

  /** Returns the parts of schemas that have become components, by name. */
  parts(): JsonObject {
    return Object.fromEntries(this.#parts)
  }

  resolve(value: unknown, ofKind: NodeKind): unknown {
    return editNodes(value, ofKind, (node, kind) => {
      if (typeof node['$ref'] !== 'string') {
        return kind === 'operation' ? withoutCallbacks(node) : node
      }
      if (isOnOtherHost({ value: node })) {
        // The operations that have it are not served.
        return {}
      }
      return kind === 'schema' ? this.#toComponent(node) : this.#writeInPlace(node, kind)
    })
  }

  #toComponent(schema: JsonObject): JsonObject {
    if (componentName(schema) !== undefined) {
      return schema
    }

    const target = this.#documents.tryTarget({ ...this.#documents.root, value: schema })
    if (target.value === schema) {
      return schema
    }
    return { ...schema, ...toComponent(this.#nameOf(target.pointer, target.value)) }
  }

  #nameOf(pointer: string, part: unknown): string {
    const nameOfComponent = componentName({ $ref: pointer })
    if (nameOfComponent !== undefined) {
      return nameOfComponent
    }

    const nameOfPart = this.#names.get(pointer)
    if (nameOfPart !== undefined) {
      return nameOfPart
    }

    const name = this.#createName(pointer)
    this.#names.set(pointer, name)
    this.#parts.set(name, this.resolve(part, 'schema'))
    return name
  }

  /** Returns a name for a part of a schema, such as `Order_lines`. */
  #createName(pointer: string): string {
    const keys = pointerKeys(pointer).filter((key) => !positionKeys.has(key))
    const wantedName = keys.join('_').replaceAll(/[^A-Za-z0-9_]+/g, '_')
    let name = wantedName
    for (let number = 2; this.#usedNames.has(name); number++) {
      name = `${wantedName}_${number}`
    }
    this.#usedNames.add(name)
    return name
  }

  #writeInPlace(node: JsonObject, kind: NodeKind): JsonObject {
    const [components, section = '', , ...deeper] = pointerKeys(String(node['$ref']))
    const isKept = components === 'components' && keptSections.has(section) && deeper.length === 0
    if (isKept) {
      return node
    }

    const target = this.#documents.tryFollow({ ...this.#documents.root, value: node })
    const isRecursive = this.#open.has(target.pointer)
    if (!isObject(target.value) || target.value === node || isRecursive) {
      return node
    }

    this.#open.add(target.pointer)
    const written = toObject(this.resolve(target.value, kind))
    this.#open.delete(target.pointer)
    return written
  }
}

function withoutCallbacks({ callbacks: _, ...operation }: JsonObject): JsonObject {
  return operation
}

/** Keys of a pointer that say where a schema is, not what it is. */
const positionKeys: ReadonlySet<string> = new Set([
  'components',
  'schemas',
  'properties',
  '$defs',
  'content',
  'schema',
])
