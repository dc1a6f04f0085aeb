import { isObject } from '../../../../scripts/pipeline/description.ts'

/** Every `$ref` in a document, with what it points at in the same document. */
export function readReferences(root: unknown, value = root): { $ref: string; target: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((item) => readReferences(root, item))
  if (!isObject(value)) return []
  const { $ref } = value
  const own = typeof $ref === 'string' ? [{ $ref, target: follow(root, $ref) }] : []
  return [...own, ...Object.values(value).flatMap((item) => readReferences(root, item))]
}

function follow(root: unknown, $ref: string): unknown {
  const [file, ...keys] = $ref.split('/')
  if (file !== '#') return undefined
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root)
}
