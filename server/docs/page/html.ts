/** What may stand in a template: markup as it is, everything else as text. */
export type Content = Html | string | number | false | undefined | readonly Content[]

/** A piece of markup. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

/** Makes markup from a template; what is put in is escaped, unless it is markup itself. */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Html {
  const [first = '', ...rest] = template
  return new Html(first + rest.map((text, index) => toMarkup(contents[index]) + text).join(''))
}

function toMarkup(content: Content): string {
  if (content instanceof Html) return content.markup
  if (typeof content === 'string') return escapeText(content)
  if (typeof content === 'number') return String(content)
  return content === undefined || content === false ? '' : content.map(toMarkup).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Safe in text and in quoted attributes, the only places where templates put anything.
function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
