import { isObject, type JsonObject, toObject } from '../../../scripts/pipeline/description.ts'

const badge = { type: 'http', scheme: 'bearer' }

/** A description that asks for the one credential that every attempt has, where it asks for any. */
export function withBadges(root: JsonObject): JsonObject {
  const whole = toObject(withoutSchemes(root))
  const components = { ...toObject(whole['components']), securitySchemes: { badge } }
  return { ...whole, security: [{ badge: [] }], components }
}

function withoutSchemes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSchemes)
  if (!isObject(node)) return node
  const rows = Object.entries(node).filter(([name, value]) => name !== 'security' || isOpen(value))
  return Object.fromEntries(rows.map(([name, value]) => [name, withoutSchemes(value)]))
}

function isOpen(security: unknown): boolean {
  return Array.isArray(security) && security.length === 0
}
