import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import { isObject, type JsonObject, toObject } from '../pipeline/description.ts'
import { outsidePath, toSegments, valueAt } from './pointer.ts'

const outside = 'x-outside-operations'
const framing = 'x-framing-response'

/** Reads a description in one piece; what its extensions refer to stays shared. */
export async function readDescription(file: string): Promise<JsonObject> {
  const opened = await openDescription(file)
  const parsed = toObject(opened.document.parsed)
  // Bundling takes as long as reading, and would change nothing.
  if (isWhole(parsed, parsed)) return parsed
  // As it was written: bundling puts the responses themselves where extensions refer to them.
  const { [outside]: responses, [framing]: response } = structuredClone(parsed)
  const bundled = await bundleDescription(opened)
  const kept = Object.entries(toObject(responses)).map(([name, value]) => [
    name,
    keepReference(value, toObject(bundled[outside])[name]),
  ])
  return {
    ...bundled,
    ...(isObject(responses) && { [outside]: Object.fromEntries(kept) }),
    ...(isObject(response) && { [framing]: keepReference(response, bundled[framing]) }),
  }
}

/** Reads a description so that what is answered outside operations is one of its paths. */
export async function readComparable(file: string): Promise<JsonObject> {
  // Redocly does not look into extensions.
  const { [outside]: responses, [framing]: response, ...rest } = await readDescription(file)
  const all = { ...toObject(responses), ...(isObject(response) && { default: response }) }
  if (Object.keys(all).length === 0) return rest
  const paths = {
    ...toObject(rest['paths']),
    [outsidePath]: { get: { security: [], responses: all } },
  }
  return { ...rest, paths }
}

/** The version that a description says it has. */
export function versionOf(description: JsonObject): string {
  return String(toObject(description['info'])['version'])
}

/** Whether everything that is referred to is there; what is not, the bundler fetches or refuses. */
function isWhole(node: unknown, root: JsonObject): boolean {
  if (typeof node !== 'object' || node === null) return true
  const { $ref } = toObject(node)
  if (typeof $ref === 'string') {
    if (!$ref.startsWith('#/') || valueAt(root, toSegments($ref)) === undefined) return false
  }
  return Object.values(node).every((value) => isWhole(value, root))
}

function keepReference(written: unknown, bundled: unknown): unknown {
  const { $ref } = toObject(written)
  return typeof $ref === 'string' && $ref.startsWith('#/') ? { $ref } : bundled
}
