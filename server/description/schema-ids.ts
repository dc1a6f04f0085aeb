import { isObject, toObject } from './json.ts'
import { pointerKeys, toChild, toPointer, valueAt } from './pointer.ts'

/** Returns the pointer to the object of a document that has an `$id`; undefined if none has. */
export function findId(node: unknown, $id: string, pointer = '#'): string | undefined {
  if (!isObject(node) && !Array.isArray(node)) {
    return undefined
  }
  if (toObject(node)['$id'] === $id) {
    return pointer
  }
  for (const [key, child] of Object.entries(node)) {
    const foundPointer = findId(child, $id, toChild(pointer, key))
    if (foundPointer !== undefined) {
      return foundPointer
    }
  }
  return undefined
}

/**
 * Returns the pointer, from the root of its document, that a reference has the place of: one that is relative
 * to the `$id` of a schema around it, or that begins with the `$id` of a schema of the document. Undefined if
 * it has nothing to do with an `$id`.
 */
export function withoutId($ref: string, root: unknown, pointer: string): string | undefined {
  const [uri = '', fragment = ''] = $ref.split('#')
  if (fragment !== '' && !fragment.startsWith('/')) {
    return undefined
  }

  const holder = nearestId(root, pointer)
  if (uri === '') {
    return holder === undefined ? undefined : existing(root, holder.pointer + fragment)
  }
  const absolute = URL.parse(uri, holder?.$id)?.href
  const target = findId(root, uri) ?? (absolute && findId(root, absolute))
  return target === undefined || target === '' ? undefined : existing(root, target + fragment)
}

function existing(root: unknown, pointer: string): string | undefined {
  return valueAt(root, pointer) === undefined ? undefined : pointer
}

/** Returns the innermost schema with an `$id` that holds the value at a pointer, or is that value. */
function nearestId(
  root: unknown,
  pointer: string,
): { readonly pointer: string; readonly $id: string } | undefined {
  const keys = pointerKeys(pointer)
  for (let length = keys.length; length > 0; length--) {
    const at = toPointer(keys.slice(0, length))
    const { $id } = toObject(valueAt(root, at))
    if (typeof $id === 'string') {
      return { pointer: at, $id }
    }
  }
  return undefined
}
