import { type Content, type Html, html } from './html.ts'
import { inline } from './markdown-inline.ts'

/**
 * Shows a description, which OpenAPI writes in CommonMark: paragraphs, lists, tables, headings,
 * fenced code, bold, emphasis, code and links. Anything else stays as it was written.
 */
export function markdown(text: string | undefined): Content {
  return text === undefined ? undefined : toBlocks(text).map(showBlock)
}

interface Block {
  readonly kind: 'code' | 'text'
  readonly lines: readonly string[]
}

function toBlocks(text: string): Block[] {
  const blocks: Block[] = []
  const pending: string[] = []
  let fenced: string[] | undefined
  const flush = (): void => {
    if (pending.length > 0) blocks.push({ kind: 'text', lines: pending.splice(0) })
  }
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (/^\s*```/.test(line)) {
      flush()
      if (fenced !== undefined) blocks.push({ kind: 'code', lines: fenced })
      fenced = fenced === undefined ? [] : undefined
    } else if (fenced !== undefined) fenced.push(line)
    else if (line.trim() === '') flush()
    else pending.push(line)
  }
  flush()
  if (fenced !== undefined) blocks.push({ kind: 'code', lines: fenced })
  return blocks
}

const bullet = /^\s*[-*+]\s+/
const number = /^\s*\d+[.)]\s+/

function showBlock({ kind, lines }: Block): Html {
  const [first = '', second = ''] = lines
  if (kind === 'code') return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`
  if (/^\s*\|?[\s:|-]+$/.test(second) && second.includes('-') && first.includes('|')) {
    return showTable(lines)
  }
  if (bullet.test(first)) return html`<ul>${toItems(lines, bullet)}</ul>`
  if (number.test(first)) return html`<ol>${toItems(lines, number)}</ol>`
  // The headings of the page are its own; one of a description is a line that stands out.
  const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(first)
  if (heading === null) return html`<p>${inline(lines.join('\n'))}</p>`
  const title = html`<p><strong>${inline(heading[1] ?? '')}</strong></p>`
  const rest = lines.slice(1)
  return rest.length === 0 ? title : html`${title}${showBlock({ kind, lines: rest })}`
}

// A line that begins no item goes on with the one before.
function toItems(lines: readonly string[], marker: RegExp): Html[] {
  const items: string[] = []
  for (const line of lines) {
    if (marker.test(line)) items.push(line.replace(marker, ''))
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`)
  }
  return items.map((item) => html`<li>${inline(item)}</li>`)
}

function showTable([head = '', , ...rows]: readonly string[]): Html {
  const cells = (line: string): string[] =>
    line
      .trim()
      .replaceAll(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim())
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr>${cells(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
</table></div>`
}
