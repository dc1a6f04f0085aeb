import type { TextPart } from '../cards.ts'
import type { Excerpt } from '../excerpt.ts'
import { element } from './element.ts'

/** Returns the lines around a finding of a file; the values before changes stand above its line. */
export function excerptView(
  excerpt: Excerpt,
  file: string,
  before: readonly string[],
): HTMLElement {
  const { lines, marked, marks, indentation } = excerpt
  const removed = before.map((text) => changedRow('before', `${' '.repeat(indentation)}${text}`))
  const rows = lines.flatMap(({ number, text }) => {
    return number === marked
      ? [...removed, row('row marked', String(number), ...markedText(text, marks))]
      : [row('row', String(number), text)]
  })
  return block('source', `${file}, line ${marked} and the lines around it`, rows)
}

/** Returns a line with what is meant in it. */
function markedText(text: string, marks: Excerpt['marks']): readonly (string | Node)[] {
  const content = marks.flatMap(({ from, to }, index) => {
    const before = text.slice(marks[index - 1]?.to ?? 0, from)
    return [before, element('mark', '', text.slice(from, to))]
  })
  return [...content, text.slice(marks.at(-1)?.to ?? 0)]
}

/** Returns a line that was removed or added; its indentation is not struck through. */
function changedRow(kind: 'before' | 'after', text: string): HTMLElement {
  const content = text.trimStart()
  const indentation = text.slice(0, text.length - content.length)
  const [sign, name] = kind === 'before' ? (['−', 'del'] as const) : (['+', 'ins'] as const)
  return row('row', sign, indentation, element(name, '', content))
}

/** Returns a line; what stands in front of it is not copied with it. */
function row(kind: string, front: string, ...content: readonly (string | Node)[]): HTMLElement {
  const gutter = element('span', 'gutter')
  gutter.setAttribute('data-line', front)
  return element('span', kind, gutter, ...content, '\n')
}

/** Returns a text with what was removed and what was added. */
export function changedText(parts: readonly TextPart[]): HTMLElement {
  const label = 'The value before and after'
  const isOfLines = parts.some(({ text }) => text.includes('\n'))
  if (isOfLines) {
    return block('source', label, parts.flatMap(changedRows))
  }
  const names = { before: 'del', after: 'ins' } as const
  const words = parts.map(({ kind, text }) => {
    return kind === 'same' ? text : element(names[kind], '', text)
  })
  return block('words', label, words)
}

/** Returns the lines of a part; each of them ends with a line break. */
function changedRows({ kind, text }: TextPart): readonly HTMLElement[] {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.map((line) => (kind === 'same' ? row('row', '', line) : changedRow(kind, line)))
}

/** Returns a text to be pasted. */
export function snippetView(text: string): HTMLElement {
  return block('snippet', 'The text to paste', [text])
}

function block(kind: string, label: string, children: readonly (string | Node)[]): HTMLElement {
  const code = element('code', '', ...children)
  const created = element('pre', kind, code)
  created.setAttribute('role', 'group')
  created.setAttribute('aria-label', label)
  return created
}
