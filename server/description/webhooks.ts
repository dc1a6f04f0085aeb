import type { Description, Operation } from './description.ts'
import { idOf } from './operations.ts'

/**
 * Returns the name of a callback: that of its operation and its own, such as `addOrder.onPaid`. The first
 * expression of a callback needs none in its name.
 */
export function callbackName(owner: string, name: string, expression: string | undefined): string {
  return `${owner}.${name}${expression === undefined ? '' : ` ${expression}`}`
}

/** Returns what the API requests of its consumers, by name: its webhooks, and the callbacks of its operations. */
export function namedWebhooks(description: Description): ReadonlyMap<string, Operation> {
  const webhooks = description.webhooks.map((each) => [each.path, each] as const)
  const callbacks = description.operations.flatMap(callbacksOf)
  // A path item has one operation, the first of several counts.
  return new Map([...callbacks, ...webhooks].toReversed())
}

function callbacksOf(operation: Operation): readonly (readonly [string, Operation])[] {
  const owner = idOf(operation)
  const usedNames = new Set<string>()
  return operation.callbacks.map((each) => {
    // The path of a callback is its name and its expression.
    const [name = '', ...expression] = each.path.split(' ')
    const isFirst = !usedNames.has(name)
    usedNames.add(name)
    return [callbackName(owner, name, isFirst ? undefined : expression.join(' ')), each] as const
  })
}
