import { isDeepStrictEqual } from 'node:util'
import { commonParts } from '../../spec/rules/common-parts.ts'
import { extendTypes } from '../../spec/rules/extensions.ts'
import { isObject, type JsonObject, toList, toObject } from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-entries.ts'

type Types = Parameters<typeof extendTypes>[0]
type Node = Record<string, unknown>

/** Rewrites descriptions for `redocly diff`, so that it sees what it would miss or misjudge. */
export default function plugin() {
  return {
    id: 'diff',
    typeExtension: { oas3: (types: Types) => withComponentsLast(extendTypes(types)) },
    // A diff runs no preprocessors.
    decorators: {
      oas3: { ...commonParts.preprocessors.oas3, ...commonParts.decorators.oas3, explicit },
    },
  }
}

// A shared part is then reported where operations use it, and as a component only if nothing uses it.
function withComponentsLast(types: Types): Types {
  const { components, ...others } = types['Root']?.properties ?? {}
  return { ...types, Root: { ...types['Root'], properties: { ...others, components } } }
}

/** Writes out what is inherited, and writes in one way what can be written in several; lines stay where they are. */
function explicit() {
  let security: unknown = []
  return {
    Root(root: Node, { location }: Context) {
      if ('security' in root) security = { $ref: `${location.source.absoluteRef}#/security` }
    },
    PathItem(item: Node, context: Context) {
      for (const [key, operation] of Object.entries(item)) {
        if (!methods.includes(key) || !isObject(operation)) continue
        Object.assign(operation, {
          // Redocly takes a value that two nodes share for one that only the first has.
          security: operation['security'] ?? structuredClone(security),
          parameters: parametersOf(item, operation, context),
        })
      }
    },
    Operation: (operation: Node) => omitDefaults(operation),
    RequestBody: (body: Node) => omitDefaults(body),
    Header: (header: Node) => omitDefaults(header, { style: 'simple', explode: false }),
    Parameter(parameter: Node) {
      const style = /^(?:query|cookie)$/.test(String(parameter['in'])) ? 'form' : 'simple'
      omitDefaults(parameter, { style, explode: (parameter['style'] ?? style) === 'form' })
    },
    Schema(schema: Node) {
      omitDefaults(schema)
      // Beside `unevaluatedProperties`, it says which properties are evaluated.
      const isEvaluated = 'unevaluatedProperties' in schema
      for (const key of [isEvaluated ? '' : 'additionalProperties', 'items']) {
        if (isDeepStrictEqual(schema[key], {})) delete schema[key]
      }
      const { allOf, const: constant, ...others } = schema
      if (constant !== undefined && !('enum' in schema)) {
        delete schema['const']
        schema['enum'] = [constant]
      }
      if (Array.isArray(allOf) && allOf.length === 1 && Object.keys(others).length === 0) {
        delete schema['allOf']
        Object.assign(schema, allOf[0])
      }
      // One bound in place of the other is one change.
      for (const [key, limit, step] of schema['type'] === 'integer' ? bounds : []) {
        if (typeof schema[key] !== 'number' || limit in schema) continue
        schema[limit] = schema[key] + step
        delete schema[key]
      }
      for (const key of ['default', 'example']) {
        if (isObject(schema[key])) schema[key] = JSON.stringify(schema[key])
      }
      if (Array.isArray(schema['enum'])) {
        schema['enum'] = schema['enum'].map((value) =>
          isObject(value) ? JSON.stringify(value) : value,
        )
      }
    },
    Example(example: Node) {
      if ('value' in example) example['x-value'] = JSON.stringify(example['value'])
    },
    ref(reference: Node, { type }: Context, { node: target }: { readonly node?: unknown }) {
      const { $ref, ...beside } = reference
      const isHere = typeof $ref === 'string' && $ref.startsWith('#')
      const isLimited = Object.keys(beside).some((key) => !annotations.includes(key))
      if (type.name !== 'Schema' || !isHere || !isLimited || !isObject(target)) return
      delete reference['$ref']
      Object.assign(reference, structuredClone({ ...target, ...beside }))
    },
  }
}

/** The arguments that Redocly gives a visitor beside the node. */
interface Context {
  readonly location: { readonly pointer: string; readonly source: { readonly absoluteRef: string } }
  readonly type: { readonly name: string }
  readonly resolve: (node: unknown) => { readonly node?: unknown }
}

const bounds = [
  ['exclusiveMaximum', 'maximum', -1],
  ['exclusiveMinimum', 'minimum', 1],
] as const

/** The values that keywords have where they are not written. */
const defaults = {
  required: false,
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  allowReserved: false,
  allowEmptyValue: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
}

function omitDefaults(node: Node, own: Node = {}): void {
  for (const [key, value] of Object.entries({ ...defaults, ...own })) {
    if (node[key] === value) delete node[key]
  }
}

/** Keywords of a schema that limit no value. */
const annotations = ['title', 'description', 'summary', 'example', 'examples', '$comment']

/** Returns the parameters of an operation, with those of its path that it does not replace. */
function parametersOf(item: JsonObject, operation: JsonObject, { location, resolve }: Context) {
  const own = toList(operation['parameters'])
  const nameOf = (parameter: unknown) => {
    const { in: section, name } = toObject(resolve(parameter).node)
    return `${section} ${name}`
  }
  const names = own.map(nameOf)
  const shared = toList(item['parameters']).flatMap((parameter, index) => {
    const $ref = `${location.source.absoluteRef}${location.pointer}/parameters/${index}`
    return names.includes(nameOf(parameter)) ? [] : [{ $ref }]
  })
  // Its own come first, so that they stay where they are written.
  return [...own, ...shared]
}
