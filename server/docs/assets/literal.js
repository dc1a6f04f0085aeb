/** How long a line of a sample may get before it is broken, in characters. */
const longest = 46

/**
 * Writes a JSON value as one would write it in TypeScript.
 *
 * @param {unknown} value
 * @param {string} [indent]
 * @returns {string}
 */
export function toLiteral(value, indent = '') {
  if (typeof value === 'string') return toText(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const members = isList
    ? value.map((item) => toLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${toName(name)}: ${toLiteral(item, inner)}`)
  if (members.length === 0) return isList ? '[]' : '{}'
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${members.join(', ')}${close}`
  if (line.length + indent.length <= longest && !line.includes('\n')) return line
  return `${open.trim()}\n${members.map((one) => `${inner}${one},\n`).join('')}${indent}${close.trim()}`
}

/** @param {string} text */
function toText(text) {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

/** @param {string} name */
function toName(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toText(name)
}
