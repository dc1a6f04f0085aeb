import { toDocuments } from '../../server/description/documents.ts'
import { isObject, type JsonObject, toObject } from '../../server/description/json.ts'
import { allMethods, codeNameKey } from '../../server/description/operations.ts'

/**
 * Writes what `service.yaml` says of operations, such as their names in code, into a bundled description, in
 * place. Paths that refer to one path item get a copy each, as their operations have names of their own.
 */
export function extendOperations(
  description: JsonObject,
  extensions: ReadonlyMap<string, JsonObject>,
): void {
  const paths = toObject(description['paths'])
  const documents = toDocuments(description)
  for (const [path, item] of Object.entries(paths)) {
    const extended = allMethods.flatMap((method) => {
      const own = extensions.get(`${method.toUpperCase()} ${path}`)
      return own === undefined ? [] : [[method, own] as const]
    })
    if (extended.length === 0) {
      continue
    }

    const ownItem: Record<string, unknown> = { ...documents.followValue(item) }
    for (const [method, own] of extended) {
      const operation = ownItem[method]
      if (isObject(operation)) {
        ownItem[method] = { ...own, ...operation }
      }
    }
    Object.assign(paths, { [path]: ownItem })
  }
}

/**
 * Returns a description in which the operationIds are the names that operations have in code. What the API
 * requests of others has none.
 */
export function withNamesAsIds(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const paths = Object.entries(toObject(description['paths'])).map(([path, item]) => {
    const own = documents.followValue(item)
    const isNamed = allMethods.some((method) => codeNameKey in toObject(own[method]))
    return [path, isNamed ? renameOperations(own) : item] as const
  })
  const webhooks = Object.entries(toObject(description['webhooks'])).map(([name, item]) => {
    const own = documents.followValue(item)
    return [name, editOperations(own, ({ operationId: _, ...others }) => others)] as const
  })
  const named = { ...description, paths: Object.fromEntries(paths) }
  return webhooks.length === 0 ? named : { ...named, webhooks: Object.fromEntries(webhooks) }
}

function renameOperations(item: JsonObject): JsonObject {
  return editOperations(item, ({ [codeNameKey]: name, ...operation }) => {
    return name === undefined ? operation : { ...operation, operationId: name }
  })
}

/** Returns a path item with changes of its operations. */
function editOperations(item: JsonObject, edit: (operation: JsonObject) => JsonObject): JsonObject {
  const entries = Object.entries(item).map(([key, value]) => {
    const isOperation = allMethods.includes(key) && isObject(value)
    return [key, isOperation ? edit(value) : value] as const
  })
  return Object.fromEntries(entries)
}
