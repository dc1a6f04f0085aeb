import type { Location } from '../state.ts'
import { element } from './element.ts'

/** Milliseconds after which a label about a copy is removed. */
const pause = 1_500

/** Returns a link that opens a location in the editor, and a button that copies the location. */
export function locationLink({ file, line, column }: Location, editorUrl: string): HTMLElement {
  const text = `${file}:${line}${column > 1 ? `:${column}` : ''}`
  const link = element('a', 'location', text)
  link.href = editorUrl
    .replaceAll('{file}', () => file.split('/').map(encodeURIComponent).join('/'))
    .replaceAll('{line}', String(line))
    .replaceAll('{column}', String(column))
  link.title = 'Open in the editor'
  return element('span', 'place', link, ' ', copyButton(text, text))
}

/** Returns a button that copies a text; `name` says of what. */
export function copyButton(text: string, name: string): HTMLElement {
  const status = element('span', 'muted')
  status.setAttribute('role', 'status')
  const button = element('button', 'copy', 'Copy')
  button.type = 'button'
  button.setAttribute('aria-label', `Copy ${name}`)
  button.addEventListener('click', async () => {
    const result = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'The browser does not allow to copy.',
    )
    status.textContent = result
    setTimeout(() => status.replaceChildren(), pause)
  })
  return element('span', 'copying', button, ' ', status)
}
