/** Returns a value as a literal of TypeScript, for a line with an indentation; `undefined` is omitted. */
export function printLiteral(value: unknown, indent = ''): string {
  return (
    JSON.stringify(value, undefined, 2)
      // As a plain key, even a quoted one, this would set the prototype.
      .replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:')
      // The type of a quoted key is a string.
      .replaceAll(/^( *)"(0|[1-9]\d{0,14})":/gm, '$1$2:')
      .replaceAll('\n', `\n${indent}`)
  )
}

/** Returns one entry of an object literal, on lines of its own. */
export function printEntry(key: string, value: unknown, indent: string): string {
  const [, entry] = /^\{\n {2}(.*)\n\}$/s.exec(printLiteral({ [key]: value })) ?? []
  return `${indent}${entry?.replaceAll('\n  ', `\n${indent}`)},\n`
}
