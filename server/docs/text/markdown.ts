/** Returns a table; undefined cells are empty. It is the empty text if there are no rows. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string {
  if (rows.length === 0) {
    return ''
  }
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const body = rows.map((cells) => line(cells.map((cell = '') => toCell(cell))))
  return [line(headings), line(headings.map(() => '---')), ...body].join('\n')
}

/** Returns a text as it is written in a cell, whose end is a bar or the end of the line. */
function toCell(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

/** Returns a text as code: in more backticks than it has itself. */
export function toCode(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const longest = Math.max(0, ...runs.map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

/** Returns a value as a block of JSON, or a text as a block of text. */
export function toBlock(value: unknown, isJson: boolean): string {
  const text = isJson || typeof value !== 'string' ? JSON.stringify(value, undefined, 2) : value
  return toCodeBlock(text, isJson ? 'json' : 'text')
}

/** Returns a text as a block of code in a language: between more backticks than it has itself. */
export function toCodeBlock(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const longest = Math.max(2, ...runs.map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Returns the texts that are not empty, with an empty line between them. */
export function joinBlocks(...blocks: readonly (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n')
}

/** Returns the words that are not empty, in one line. */
export function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' ')
}

/** Returns a description that people read, whose headings would be mistaken for those of the page. */
export function toText(description: unknown): string {
  return typeof description === 'string'
    ? description.trim().replaceAll(/^#{1,6} +(.*)$/gm, '**$1**')
    : ''
}
