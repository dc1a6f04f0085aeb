import { isObject } from '../../server/description/json.ts'
import { ClientExport } from './client-exports.ts'

/** Returns a value as a literal of TypeScript; `undefined` is omitted, and an export of the client is its name. */
export function printLiteral(value: unknown, indent = ''): string {
  if (value instanceof ClientExport) {
    return value.name
  }

  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${printLiteral(item, inner)}`)
    return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n${indent}]`
  }
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const lines = members.map(([key, member]) => {
      return `${inner}${printKey(key)}: ${printLiteral(member, inner)}`
    })
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
  }
  return JSON.stringify(value)
}

function printKey(key: string): string {
  // The type of a quoted key is a string.
  if (/^(?:0|[1-9]\d{0,14})$/.test(key)) {
    return key
  }
  // As a plain key, even a quoted one, this would set the prototype.
  return key === '__proto__' ? `["${key}"]` : JSON.stringify(key)
}
