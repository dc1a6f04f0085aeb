const lineWidth = 100

/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** JSON as a TypeScript literal, on one line where it fits and one entry a line where it does not. */
export function printLiteral(value: Json, indent = '', taken = indent.length): string {
  if (typeof value === 'string') return printString(value)
  if (typeof value !== 'object' || value === null) return String(value)
  // One more column for the comma that follows.
  const short = printOnOneLine(value, lineWidth - taken - 1)
  if (short !== undefined) return short
  const deeper = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((item) => `${deeper}${printLiteral(item, deeper)},\n`)
    : Object.entries(value).map(([key, item]) => printEntry(key, item, deeper))
  return Array.isArray(value)
    ? `[\n${entries.join('')}${indent}]`
    : `{\n${entries.join('')}${indent}}`
}

/** One entry of an object literal, on lines of its own. */
export function printEntry(key: string, value: Json, indent: string): string {
  const start = `${indent}${printKey(key)}: `
  return `${start}${printLiteral(value, indent, start.length)},\n`
}

/** A value on one line, or undefined where it takes more columns than there are. */
function printOnOneLine(value: Json, room: number): string | undefined {
  if (room < 0) return undefined
  if (typeof value !== 'object' || value === null) {
    const text = typeof value === 'string' ? printString(value) : String(value)
    return text.length <= room ? text : undefined
  }
  const isList = Array.isArray(value)
  const items = Object.entries(value)
  let line = ''
  for (const [key, item] of items) {
    const start = line + (line === '' ? '' : ', ') + (isList ? '' : `${printKey(key)}: `)
    // What is too long is given up at once, or each level of it would be printed again and again.
    const text = printOnOneLine(item, room - start.length - 2)
    if (text === undefined) return undefined
    line = start + text
  }
  const whole = isList ? `[${line}]` : line === '' ? '{}' : `{ ${line} }`
  return whole.length <= room ? whole : undefined
}

/** The key of an entry of an object literal. */
export function printKey(key: string): string {
  // As a plain key, even a quoted one, this would set the prototype.
  if (key === '__proto__') return "['__proto__']"
  return /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d{0,14})$/.test(key) ? key : printString(key)
}

function printString(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
