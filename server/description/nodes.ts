import { isObject, type JsonObject, toList, toObject } from './json.ts'
import { allMethods } from './operations.ts'
import { pointerKeys, toPointer } from './pointer.ts'

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

const one = (kind: NodeKind): Member => ({ holds: 'one', kind })
const list = (kind: NodeKind): Member => ({ holds: 'list', kind })
const map = (kind: NodeKind): Member => ({ holds: 'map', kind })

/** The key of a member that may have any name. */
const anyName = '*'

const parameter = { schema: one('schema'), content: map('mediaType') }

const members: Readonly<Record<NodeKind, Readonly<Record<string, Member>>>> = {
  document: { paths: map('pathItem'), webhooks: map('pathItem'), components: one('components') },
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
    ...Object.fromEntries(allMethods.map((method) => [method, one('operation')])),
    additionalOperations: map('operation'),
    parameters: list('parameter'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  callback: { [anyName]: one('pathItem') },
  parameter,
  header: parameter,
  requestBody: { content: map('mediaType') },
  response: { headers: map('header'), content: map('mediaType') },
  mediaType: { schema: one('schema'), itemSchema: one('schema'), encoding: map('encoding') },
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
    items: one('schema'),
    additionalProperties: one('schema'),
    unevaluatedItems: one('schema'),
    unevaluatedProperties: one('schema'),
    propertyNames: one('schema'),
    contains: one('schema'),
    not: one('schema'),
    if: one('schema'),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: one('schema'),
    else: one('schema'),
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

  const edited = Object.entries(value).map(([name, each]) => [name, editNodes(each, kind, edit)])
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
  const edited = editNodes(description, 'document', (node, kind) =>
    kind === 'schema' ? edit(node) : node,
  )
  return toObject(edited)
}

/** Calls a function with every schema of a description. */
export function visitSchemas(
  value: unknown,
  kind: NodeKind,
  visit: (schema: JsonObject) => void,
): void {
  editNodes(value, kind, (node, ofKind) => {
    if (ofKind === 'schema') {
      visit(node)
    }
    return node
  })
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
