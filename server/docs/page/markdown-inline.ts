import { type Content, html } from './html.ts'

interface Mark {
  readonly pattern: RegExp
  readonly show: (match: RegExpExecArray) => Content
}

// In the order in which one wins over another that begins at the same place.
const marks: readonly Mark[] = [
  { pattern: /``\s?(.+?)\s?``/s, show: ([, code]) => html`<code>${code}</code>` },
  { pattern: /`([^`]+)`/, show: ([, code]) => html`<code>${code}</code>` },
  {
    pattern: /\*\*(?=\S)(.+?)\*\*/s,
    show: ([, text = '']) => html`<strong>${inline(text)}</strong>`,
  },
  { pattern: /\[([^\]]+)\]\(([^\s)]+)\)/, show: ([all, text, to]) => showLink(all, text, to) },
  { pattern: /<(https?:\/\/[^\s<>]+)>/, show: ([all, to]) => showLink(all, to, to) },
  { pattern: /\*(?=\S)([^*]+)\*/, show: ([, text = '']) => html`<em>${inline(text)}</em>` },
  { pattern: /\b_(?=\S)([^_]+)_\b/, show: ([, text = '']) => html`<em>${inline(text)}</em>` },
]

/** The text of one block, with its marks shown. */
export function inline(text: string): Content {
  const found = marks.flatMap(({ pattern, show }) => {
    const match = pattern.exec(text)
    return match === null ? [] : [{ match, show }]
  })
  const [first, ...others] = found
  if (first === undefined) return text
  const { match, show } = others.reduce(
    (best, next) => (next.match.index < best.match.index ? next : best),
    first,
  )
  const after = match.index + match[0].length
  return [text.slice(0, match.index), show(match), inline(text.slice(after))]
}

// Only what leads to a page; a `javascript:` link stays the text that it is.
function showLink(all: string, text = '', to = ''): Content {
  if (!/^(?:https?:\/\/|mailto:|#|\/(?!\/))/i.test(to)) return all
  return html`<a href="${to}">${text}</a>`
}
