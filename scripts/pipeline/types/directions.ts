import { type Documents, toDocuments } from '../../../server/description/documents.ts'
import { isObject, type JsonObject, toObject } from '../../../server/description/json.ts'
import { withoutMarkedRequirements } from '../../../server/description/marked-requirements.ts'
import {
  componentName,
  componentSchemas,
  editNodes,
  type NodeKind,
  ofSchemas,
  toComponent,
  visitSchemas,
  withComponentSchemas,
} from '../../../server/description/nodes.ts'
import { isMarked, type Mark } from '../../../server/description/schemas.ts'
import { reachedFrom } from './reached-names.ts'

/** Whether a schema is that of a request or of a response. */
type Direction = 'request' | 'response'

/** The mark of properties that are not sent, or need not be, in a direction. */
const marks = { request: 'readOnly', response: 'writeOnly' } as const

const requestKinds: ReadonlySet<NodeKind> = new Set(['requestBody', 'parameter'])
const responseKinds: ReadonlySet<NodeKind> = new Set(['response'])

/**
 * Writes a schema with `readOnly` or `writeOnly` properties as it is in requests and as it is in responses. In
 * a request, a `readOnly` property is optional, so that a client may send back what it got; in a response,
 * there is no `writeOnly` property. A schema that is used in both, and differs, keeps its name for responses;
 * that of requests is called `…Input`.
 */
export function separateDirections(description: JsonObject): JsonObject {
  const directions = new Directions(description)
  return withComponentSchemas(directions.write(description), directions.schemas())
}

class Directions {
  readonly #schemas: JsonObject
  readonly #documents: Documents
  /** The names of the schemas that are not the same in both directions. */
  readonly #differing: ReadonlySet<string>
  /** The names of the schemas of requests, by those of the description. */
  readonly #requestNames: ReadonlyMap<string, string>
  /** The names of the schemas that have no form for responses. */
  readonly #requestOnly: ReadonlySet<string>

  constructor(description: JsonObject) {
    this.#documents = toDocuments(description)
    this.#schemas = componentSchemas(description)

    const uses = this.#findUses()
    this.#differing = this.#findDiffering(uses)

    const { operations, webhooks } = divide(description)
    const received = schemasUnder(operations, requestKinds)
    const receivedFromWebhooks = schemasUnder(webhooks, responseKinds)
    const sentByOperations = schemasUnder(operations, responseKinds)
    const sentToWebhooks = schemasUnder(webhooks, requestKinds)
    const inRequests = withUses(received.union(receivedFromWebhooks), uses)
    const inResponses = withUses(sentByOperations.union(sentToWebhooks), uses)
    this.#requestOnly = inRequests.difference(inResponses)
    this.#requestNames = this.#createRequestNames(inRequests)
  }

  /** Returns the schemas of the components by name, those of requests after those of responses. */
  schemas(): JsonObject {
    const written: [name: string, schema: unknown][] = []
    for (const [name, schema] of Object.entries(this.#schemas)) {
      const direction = this.#requestOnly.has(name) ? 'request' : 'response'
      written.push([name, this.#write(schema, 'schema', direction)])

      const requestName = this.#requestNames.get(name)
      if (requestName !== undefined) {
        written.push([requestName, this.#write(schema, 'schema', 'request')])
      }
    }
    return Object.fromEntries(written)
  }

  /** Returns the description with its requests and responses as they are; not its schemas. */
  write(description: JsonObject): JsonObject {
    const { operations, webhooks } = divide(description)
    return {
      ...this.#writeMessages(operations, 'request', 'response'),
      ...this.#writeMessages(webhooks, 'response', 'request'),
    }
  }

  #writeMessages(
    description: JsonObject,
    ofRequests: Direction,
    ofResponses: Direction,
  ): JsonObject {
    const edited = editNodes(description, 'document', (node, kind) => {
      if (requestKinds.has(kind)) {
        return toObject(this.#write(node, kind, ofRequests))
      }
      if (responseKinds.has(kind)) {
        return toObject(this.#write(node, kind, ofResponses))
      }
      return node
    })
    return toObject(edited)
  }

  #write(value: unknown, kind: NodeKind, direction: Direction): unknown {
    const optional = withoutMarkedRequirements(value, kind, marks[direction], this.#documents)
    // Schemas are renamed last: their parts are followed by their names in the description.
    const edit = (schema: JsonObject) => {
      return direction === 'request'
        ? this.#withRequestName(schema)
        : this.#withoutWriteOnly(schema)
    }
    return editNodes(optional, kind, ofSchemas(edit))
  }

  #withRequestName(schema: JsonObject): JsonObject {
    const requestName = this.#requestNames.get(componentName(schema) ?? '')
    return requestName === undefined ? schema : { ...schema, ...toComponent(requestName) }
  }

  /** Returns a schema without its `writeOnly` properties. */
  #withoutWriteOnly(schema: JsonObject): JsonObject {
    const { properties } = schema
    if (!isObject(properties)) {
      return schema
    }
    const readable = Object.entries(properties).filter(([, value]) => {
      return !this.#isMarked(value, 'writeOnly')
    })
    return { ...schema, properties: Object.fromEntries(readable) }
  }

  #isMarked(property: unknown, mark: Mark): boolean {
    return isMarked({ ...this.#documents.root, value: property }, mark, this.#documents)
  }

  /** Returns the names of the schemas that each schema uses itself. */
  #findUses(): ReadonlyMap<string, ReadonlySet<string>> {
    const uses = new Map<string, ReadonlySet<string>>()
    for (const [name, schema] of Object.entries(this.#schemas)) {
      uses.set(name, namesUsedIn(schema, 'schema'))
    }
    return uses
  }

  #findDiffering(uses: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
    const marked = Object.keys(this.#schemas).filter((name) => this.#hasMarks(this.#schemas[name]))
    const withMarks = new Set(marked)
    const differing = Object.keys(this.#schemas).filter((name) => {
      return !withUses(new Set([name]), uses).isDisjointFrom(withMarks)
    })
    return new Set(differing)
  }

  /** Returns whether a schema, or one inside it, has a property that is not the same in both directions. */
  #hasMarks(schema: unknown): boolean {
    const properties: unknown[] = []
    visitSchemas(schema, 'schema', (each) => {
      properties.push(...Object.values(toObject(each['properties'])))
    })
    return properties.some(
      (property) => this.#isMarked(property, 'readOnly') || this.#isMarked(property, 'writeOnly'),
    )
  }

  #createRequestNames(inRequests: ReadonlySet<string>): ReadonlyMap<string, string> {
    const usedNames = new Set(Object.keys(this.#schemas))
    const names = new Map<string, string>()
    for (const name of this.#differing) {
      if (!inRequests.has(name) || this.#requestOnly.has(name)) {
        continue
      }

      let requestName = `${name}Input`
      while (usedNames.has(requestName)) {
        requestName += '_'
      }
      usedNames.add(requestName)
      names.set(name, requestName)
    }
    return names
  }
}

/**
 * Divides a description into its webhooks and all else. The API sends the requests of webhooks, whose schemas
 * are those of its responses, and receives their responses.
 */
function divide({ webhooks, ...operations }: JsonObject) {
  return { operations, webhooks: webhooks === undefined ? {} : { webhooks } }
}

/** Returns the names of the schemas that the objects of some kinds use themselves. */
function schemasUnder(description: JsonObject, kinds: ReadonlySet<NodeKind>): ReadonlySet<string> {
  const names = new Set<string>()
  editNodes(description, 'document', (node, kind) => {
    if (kinds.has(kind)) {
      for (const name of namesUsedIn(node, kind)) {
        names.add(name)
      }
    }
    return node
  })
  return names
}

function namesUsedIn(value: unknown, kind: NodeKind): ReadonlySet<string> {
  const names = new Set<string>()
  visitSchemas(value, kind, (schema) => {
    const name = componentName(schema)
    if (name !== undefined) {
      names.add(name)
    }
  })
  return names
}

/** Returns some names with those of all that they use. */
function withUses(
  names: ReadonlySet<string>,
  uses: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  return names.union(reachedFrom(names, (name) => uses.get(name) ?? []))
}
