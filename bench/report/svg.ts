/** Attributes of an element; numbers are rounded to a tenth. */
type Attributes = Readonly<Record<string, string | number>>

/** Writes an element with what is in it. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const fields = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : toMarkup(value)}"`,
  )
  const start = `<${name}${fields.join('')}`
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`
}

/** Writes a text at a place. */
export function label(x: number, y: number, text: string, style = ''): string {
  return element('text', { x, y, ...(style === '' ? {} : { class: style }) }, toMarkup(text))
}

/** Writes a text as markup. */
export function toMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function rounded(value: number): string {
  return `${Math.round(value * 10) / 10}`
}
