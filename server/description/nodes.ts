import { childOf, entriesOf } from './fields.ts'
import { isObject, type JsonObject, memberOf, toList, toObject } from './json.ts'
import type { Located } from './location.ts'
import { allMethods } from './operations.ts'
import { pointerKeys, toPointer, valueAt } from './pointer.ts'

/** The objects of an OpenAPI document that hold a schema, or an object that holds one. */
export type NodeKind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'callback'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'schema'

/** What a key of an object holds: one object, a list of them, or several by their names. */
interface Member {
  readonly holds: 'one' | 'list' | 'map'
  readonly kind: NodeKind
}

const object = (kind: NodeKind): Member => ({ holds: 'one', kind })
const list = (kind: NodeKind): Member => ({ holds: 'list', kind })
const map = (kind: NodeKind): Member => ({ holds: 'map', kind })

/** The key of a member that may have any name. */
const anyName = '*'

const parameter = { schema: object('schema'), content: map('mediaType') }

const members: Readonly<Record<NodeKind, Readonly<Record<string, Member>>>> = {
  document: { paths: map('pathItem'), webhooks: map('pathItem'), components: object('components') },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    headers: map('header'),
    requestBodies: map('requestBody'),
    callbacks: map('callback'),
    pathItems: map('pathItem'),
    mediaTypes: map('mediaType'),
  },
  pathItem: {
    ...Object.fromEntries(allMethods.map((method) => [method, object('operation')])),
    additionalOperations: map('operation'),
    parameters: list('parameter'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: object('requestBody'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  callback: { [anyName]: object('pathItem') },
  parameter,
  header: parameter,
  requestBody: { content: map('mediaType') },
  response: { headers: map('header'), content: map('mediaType') },
  mediaType: {
    schema: object('schema'),
    itemSchema: object('schema'),
    'x-item-schema': object('schema'),
    encoding: map('encoding'),
  },
  encoding: { headers: map('header') },
  schema: {
    allOf: list('schema'),
    anyOf: list('schema'),
    oneOf: list('schema'),
    prefixItems: list('schema'),
    properties: map('schema'),
    patternProperties: map('schema'),
    dependentSchemas: map('schema'),
    $defs: map('schema'),
    definitions: map('schema'),
    items: object('schema'),
    additionalProperties: object('schema'),
    unevaluatedItems: object('schema'),
    unevaluatedProperties: object('schema'),
    propertyNames: object('schema'),
    contains: object('schema'),
    not: object('schema'),
    if: object('schema'),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: object('schema'),
    else: object('schema'),
  },
}

/** Returns what an object becomes, whose members have been edited before. */
export type EditNode = (node: JsonObject, kind: NodeKind) => JsonObject

/** Returns a copy of an object of a description, in which it and the objects below it are edited, inner ones first. */
export function editNodes(value: unknown, kind: NodeKind, edit: EditNode): unknown {
  if (!isObject(value)) {
    return value
  }

  const edited = Object.entries(value).map(([key, member]) => {
    const held = memberOfKind(kind, key)
    return [key, held === undefined ? member : editMember(member, held, edit)] as const
  })
  return edit(Object.fromEntries(edited), kind)
}

function editMember(value: unknown, { holds, kind }: Member, edit: EditNode): unknown {
  if (holds === 'one') {
    return editNodes(value, kind, edit)
  }
  if (holds === 'list') {
    return toList(value).map((item) => editNodes(item, kind, edit))
  }
  if (!isObject(value)) {
    return value
  }

  const edited = Object.entries(value).map(([name, item]) => [name, editNodes(item, kind, edit)])
  return Object.fromEntries(edited)
}

function memberOfKind(kind: NodeKind, key: string): Member | undefined {
  const ofKind = members[kind]
  // A key may be called `constructor`, and an extension is not part of a callback.
  if (Object.hasOwn(ofKind, key)) {
    return ofKind[key]
  }
  return key.startsWith('x-') || key === '$ref' ? undefined : ofKind[anyName]
}

/** Returns a copy of a description in which every schema is edited, inner ones first. */
export function editSchemas(
  description: JsonObject,
  edit: (schema: JsonObject) => JsonObject,
): JsonObject {
  return toObject(editNodes(description, 'document', ofSchemas(edit)))
}

/** Returns an edit of schemas alone. */
export function ofSchemas(edit: (schema: JsonObject) => JsonObject): EditNode {
  return (node, kind) => (kind === 'schema' ? edit(node) : node)
}

/** Calls a function with an object of a description and with those below it. */
function visitNodes(
  value: unknown,
  kind: NodeKind,
  visit: (node: JsonObject, kind: NodeKind) => void,
): void {
  if (!isObject(value)) {
    return
  }

  visit(value, kind)
  for (const [key, member] of Object.entries(value)) {
    const held = memberOfKind(kind, key)
    if (held === undefined) {
      continue
    }
    const inner = held.holds === 'one' ? [member] : itemsOf(member, held.holds)
    for (const each of inner) {
      visitNodes(each, held.kind, visit)
    }
  }
}

function itemsOf(member: unknown, holds: 'list' | 'map'): readonly unknown[] {
  return holds === 'list' ? toList(member) : Object.values(toObject(member))
}

/** An object of a description with its location, and its kind. */
export interface LocatedNode {
  readonly node: Located
  readonly kind: NodeKind
}

/** Returns what an object of a description holds: no extension, example or value of a schema is part of it. */
export function heldNodes({ node, kind }: LocatedNode): readonly LocatedNode[] {
  return entriesOf(node).flatMap(({ key }) => {
    const held = memberOfKind(kind, key)
    if (held === undefined) {
      return []
    }

    const member = childOf(node, key)
    const inner = held.holds === 'one' ? [member] : entriesOf(member)
    return inner.map((each) => ({ node: each, kind: held.kind }))
  })
}

/** Calls a function with every schema of a description, outer ones first. */
export function visitSchemas(
  value: unknown,
  kind: NodeKind,
  visit: (schema: JsonObject) => void,
): void {
  visitNodes(value, kind, (node, ofKind) => {
    if (ofKind === 'schema') {
      visit(node)
    }
  })
}

/** Returns an object of a description, with all below it, as something else. */
type ConvertNode = (value: unknown, kind: NodeKind) => unknown

/**
 * Returns a bundled description, converted, with what its references lead to in other places than OpenAPI
 * names, such as an extension: a reference to a schema makes its target a schema.
 */
export function convertDescription(description: JsonObject, convert: ConvertNode): JsonObject {
  let converted = convert(description, 'document')
  for (const [pointer, kind] of findOtherPlaces(description)) {
    const value = convert(valueAt(description, pointer), kind)
    converted = withValueAt(converted, pointerKeys(pointer), value)
  }
  return toObject(converted)
}

/** Returns the pointers that lead out of the objects that OpenAPI names, outer ones first, with the kinds of their targets. */
function findOtherPlaces(description: JsonObject): readonly (readonly [string, NodeKind])[] {
  const passed = new Set<unknown>()
  const places = new Map<string, NodeKind>()
  const references: (readonly [pointer: string, kind: NodeKind])[] = []

  function collect(value: unknown, ofKind: NodeKind): void {
    visitNodes(value, ofKind, (node, kind) => {
      passed.add(node)
      if (typeof node['$ref'] === 'string') {
        references.push([node['$ref'], kind])
      }
    })
  }

  collect(description, 'document')
  for (const [pointer, kind] of references) {
    const target = pointer.startsWith('#/') ? valueAt(description, pointer) : undefined
    if (isObject(target) && !passed.has(target)) {
      places.set(pointer, kind)
      collect(target, kind)
    }
  }
  return [...places].toSorted(([first], [second]) => first.length - second.length)
}

/** Returns a copy of a value in which another value is at some keys. */
function withValueAt(holder: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...deeper] = keys
  if (key === undefined) {
    return value
  }
  if (Array.isArray(holder)) {
    const items: readonly unknown[] = holder
    return items.with(Number(key), withValueAt(items[Number(key)], deeper, value))
  }
  const members = Object.entries(toObject(holder))
  const inner = withValueAt(memberOf(holder, key), deeper, value)
  return Object.fromEntries([...members, [key, inner] as const])
}

/** The schemas of the components, by name. */
export function componentSchemas(description: JsonObject): JsonObject {
  return toObject(toObject(description['components'])['schemas'])
}

/** Returns a description with other schemas in its components. */
export function withComponentSchemas(description: JsonObject, schemas: JsonObject): JsonObject {
  return {
    ...description,
    components: { ...toObject(description['components']), schemas },
  }
}

const schemasPointer = '#/components/schemas/'

/** Returns the name of the component that a schema refers to; undefined if it refers to none. */
export function componentName({ $ref }: JsonObject): string | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith(schemasPointer)) {
    return undefined
  }
  const [, , name, ...deeper] = pointerKeys($ref)
  return deeper.length === 0 ? name : undefined
}

/** Returns a reference to a schema of the components. */
export function toComponent(name: string): { readonly $ref: string } {
  return { $ref: toPointer(['components', 'schemas', name]) }
}
