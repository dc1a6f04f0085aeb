import type { Step } from '../steps.ts'
import { element, marked } from './element.ts'
import { copyButton, locationLink } from './location-link.ts'
import { snippetView } from './source-view.ts'

/** Returns something to do, with its reason and where to do it. */
export function stepView(step: Step, editorUrl: string): HTMLElement {
  const { text, reason, at, snippet, list } = step
  return element(
    'li',
    'step',
    element('p', 'what', ...marked(text), ...linkTo(list)),
    ...(reason === undefined ? [] : [element('p', 'meaning', ...marked(reason))]),
    ...(at === undefined ? [] : [element('p', 'where', locationLink(at, editorUrl))]),
    ...(snippet === undefined ? [] : [snippetView(snippet), copyButton(snippet, 'the text')]),
  )
}

/** Returns a link to the list that has the details. */
function linkTo(list: Step['list']): readonly (string | Node)[] {
  if (list === undefined) {
    return []
  }
  const link = element('a', 'details', 'Show')
  link.href = `#${list}-section`
  return [' ', link]
}
