import { type Documents, toDocuments } from '../../../server/description/documents.ts'
import { isObject, type JsonObject, toObject } from '../../../server/description/json.ts'
import { allMethods } from '../../../server/description/operations.ts'
import { callbackName } from '../../../server/description/webhooks.ts'

/**
 * Adds the callbacks of operations to the webhooks, from which types are printed. Their operations have no names
 * of their own.
 */
export function addCallbacks(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const callbacks = Object.entries(toObject(description['paths'])).flatMap(([path, item]) => {
    const operations = documents.followValue(item)
    return allMethods.flatMap((method) => {
      const operation = documents.followValue(operations[method])
      return callbacksOf(operation, `${method.toUpperCase()} ${path}`, documents)
    })
  })
  if (callbacks.length === 0) {
    return description
  }
  const webhooks = { ...toObject(description['webhooks']), ...Object.fromEntries(callbacks) }
  return { ...description, webhooks }
}

function callbacksOf(operation: JsonObject, method: string, documents: Documents) {
  const owner = String(operation['operationId'] ?? method)
  return Object.entries(toObject(operation['callbacks'])).flatMap(([name, value]) => {
    const items = Object.entries(documents.followValue(value))
    const expressions = items.filter(([key]) => !key.startsWith('x-'))
    return expressions.map(([expression, item], index) => {
      const key = callbackName(owner, name, index === 0 ? undefined : expression)
      return [key, withoutNames(documents.followValue(item), documents)] as const
    })
  })
}

function withoutNames(item: JsonObject, documents: Documents): JsonObject {
  const edited = Object.entries(item).map(([key, value]) => {
    if (!allMethods.includes(key) || !isObject(value)) {
      return [key, value] as const
    }
    const { operationId: _, callbacks: __, ...operation } = documents.followValue(value)
    return [key, operation] as const
  })
  return Object.fromEntries(edited)
}
