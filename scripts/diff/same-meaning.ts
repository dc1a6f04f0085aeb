import { isDeepStrictEqual } from 'node:util'
import {
  dereference,
  isObject,
  type JsonObject,
  toList,
  toObject,
} from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-places.ts'
import { alignConstants } from './constants.ts'
import { showExamples } from './example-values.ts'
import { flatten } from './flatten.ts'
import type { Pair } from './pair.ts'

/** Writes alike what both descriptions say in other words, which Redocly would take for a change. */
export function writeAlike({ base, current }: Pair): Pair {
  const write = (root: JsonObject) => spreadParameters(toObject(showExamples(unwrap(root))))
  const [before, after] = [write(base), write(current)]
  return alignSchemas(
    alignSecurity({
      base: toObject(alignConstants(before, after)),
      current: toObject(alignConstants(after, before)),
    }),
  )
}

/** A list of one part that stands alone is that part. */
function unwrap(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(unwrap)
  if (!isObject(node)) return node
  const { allOf, ...beside } = node
  if (Array.isArray(allOf) && allOf.length === 1 && Object.keys(beside).length === 0) {
    return unwrap(allOf[0])
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, unwrap(value)]))
}

/** A parameter of a path is one of each of its operations. */
function spreadParameters(root: JsonObject): JsonObject {
  return mapOperations(root, (operation, item) => {
    const shared = toList(item['parameters'])
    if (shared.length === 0) return operation
    const own = toList(operation['parameters'])
    const names = own.map((parameter) => nameOf(root, parameter))
    const added = shared.filter((parameter) => !names.includes(nameOf(root, parameter)))
    return { ...operation, parameters: [...added, ...own] }
  })
}

function nameOf(root: JsonObject, parameter: unknown): string {
  const { in: place, name } = dereference(root, parameter)
  return `${place} ${name}`
}

/** Who may call is the same, whether it is said once or at each operation. */
function alignSecurity(pair: Pair): Pair {
  const [before, after] = [securityOf(pair.base), securityOf(pair.current)]
  const common = Object.keys(before).filter((name) => name in after)
  if (common.every((name) => isDeepStrictEqual(before[name], after[name]))) {
    return { base: dropSecurity(pair.base), current: dropSecurity(pair.current) }
  }
  return {
    base: stateSecurity(pair.base, pair.current, before),
    current: stateSecurity(pair.current, pair.base, after),
  }
}

// A list that comes or goes means something only by the list that it stands for.
function stateSecurity(root: JsonObject, other: JsonObject, stated: JsonObject): JsonObject {
  const counterparts = operationsOf(other)
  const written = mapOperations(root, (operation, _, name) => {
    const counterpart = counterparts[name]
    if (!isObject(counterpart)) return operation
    const isOne = 'security' in operation !== 'security' in counterpart
    return isOne ? { ...operation, security: stated[name] } : operation
  })
  return { ...written, security: root['security'] ?? [] }
}

function securityOf(root: JsonObject): JsonObject {
  const entries = Object.entries(operationsOf(root)).map(([name, operation]) => [
    name,
    toObject(operation)['security'] ?? root['security'] ?? [],
  ])
  return Object.fromEntries(entries)
}

function operationsOf(root: JsonObject): JsonObject {
  const found: Record<string, unknown> = {}
  mapOperations(root, (operation, _, name) => {
    found[name] = operation
    return operation
  })
  return found
}

function dropSecurity({ security: _, ...root }: JsonObject): JsonObject {
  return mapOperations(root, ({ security: __, ...operation }) => operation)
}

/** A schema in parts means what it would mean in one piece. */
function alignSchemas({ base, current }: Pair): Pair {
  const [before, after] = [schemasOf(base), schemasOf(current)]
  const flat: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(before)) {
    if (toObject(schema)['allOf'] === undefined && toObject(after[name])['allOf'] === undefined) {
      continue
    }
    const one = flatten(base, schema)
    if (one !== undefined && isDeepStrictEqual(one, flatten(current, after[name]))) flat[name] = one
  }
  return { base: putSchemas(base, flat), current: putSchemas(current, flat) }
}

function schemasOf(root: JsonObject): JsonObject {
  return toObject(toObject(root['components'])['schemas'])
}

function putSchemas(root: JsonObject, schemas: JsonObject): JsonObject {
  if (Object.keys(schemas).length === 0) return root
  const components = toObject(root['components'])
  return {
    ...root,
    components: { ...components, schemas: { ...schemasOf(root), ...schemas } },
  }
}

function mapOperations(
  root: JsonObject,
  change: (operation: JsonObject, item: JsonObject, name: string) => JsonObject,
): JsonObject {
  const paths = Object.entries(toObject(root['paths'])).map(([path, item]) => {
    if (!isObject(item)) return [path, item]
    const { parameters: _, ...rest } = item
    const changed = Object.entries(rest).map(([key, value]) =>
      methods.includes(key) && isObject(value)
        ? [key, change(value, item, `${key} ${path}`)]
        : [key, value],
    )
    return [path, Object.fromEntries(changed)]
  })
  return { ...root, paths: Object.fromEntries(paths) }
}
