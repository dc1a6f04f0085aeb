import { toDocuments } from '../../server/description/documents.ts'
import { isObject, type JsonObject, toObject } from '../../server/description/json.ts'
import { allMethods, codeNameKey, otherOperationsKey } from '../../server/description/operations.ts'

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
    const ownItem = documents.followValue(item)
    const extended = editOperations(ownItem, (operation, method) => {
      const ofOperation = extensions.get(`${method} ${path}`)
      return ofOperation === undefined ? operation : { ...ofOperation, ...operation }
    })
    if (extended !== ownItem) {
      Object.assign(paths, { [path]: extended })
    }
  }
}

/**
 * Returns a description in which the operationIds are the names that operations have in code. What the API
 * requests of others has none.
 */
export function withNamesAsIds(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const paths = Object.entries(toObject(description['paths'])).map(([path, item]) => {
    const ownItem = documents.followValue(item)
    const renamed = renameOperations(ownItem)
    return [path, renamed === ownItem ? item : renamed] as const
  })
  const webhooks = Object.entries(toObject(description['webhooks'])).map(([name, item]) => {
    const ownItem = documents.followValue(item)
    return [
      name,
      editOperations(ownItem, ({ operationId: _, ...otherFields }) => otherFields),
    ] as const
  })
  const named = { ...description, paths: Object.fromEntries(paths) }
  return webhooks.length === 0 ? named : { ...named, webhooks: Object.fromEntries(webhooks) }
}

function renameOperations(item: JsonObject): JsonObject {
  return editOperations(item, (operation) => {
    const { [codeNameKey]: name, ...otherFields } = operation
    return name === undefined ? operation : { ...otherFields, operationId: name }
  })
}

/** Returns what an operation becomes; `method` is in upper case. */
type EditOperation = (operation: JsonObject, method: string) => JsonObject

/** Returns a path item with changes of its operations; itself if there are none. */
function editOperations(item: JsonObject, edit: EditOperation): JsonObject {
  const edited = editMembers(item, allMethods, edit)
  const otherOperations = toObject(item[otherOperationsKey])
  const editedOthers = editMembers(otherOperations, Object.keys(otherOperations), edit)
  return otherOperations === editedOthers
    ? edited
    : { ...edited, [otherOperationsKey]: editedOthers }
}

function editMembers(holder: JsonObject, keys: readonly string[], edit: EditOperation): JsonObject {
  const changed = keys.flatMap((key) => {
    const operation = holder[key]
    const edited = isObject(operation) ? edit(operation, key.toUpperCase()) : operation
    return edited === operation ? [] : [[key, edited] as const]
  })
  return changed.length === 0 ? holder : { ...holder, ...Object.fromEntries(changed) }
}
