import type { Json } from '../../contract/description.ts'
import { entriesOf, listOf, type Open, textOf } from '../described.ts'
import { showFacts, showSchema } from '../schema/schema-view.ts'
import { schemaAnchor } from '../schema/type-words.ts'
import { answerAnchor, headerAnchor, showAnswer } from './answers.ts'
import { showExamples } from './examples.ts'
import { type Content, type Html, html } from './html.ts'
import { markdown } from './markdown.ts'

/** A part of the page that shows what several operations share. */
export interface Part {
  readonly id: string
  readonly title: string
  readonly entries: readonly Html[]
}

/** What operations share: answers, header fields and schemas, each under its own anchor. */
export function sharedParts(open: Open, components: Json | undefined): Part[] {
  const { node } = open(components)
  const parts = [
    {
      id: 'answers',
      title: 'Shared answers',
      entries: entriesOf(node['responses']).map(([name, value]) => showResponse(open, name, value)),
    },
    {
      id: 'headers',
      title: 'Header fields',
      entries: entriesOf(node['headers']).map(([name, value]) => showHeader(open, name, value)),
    },
    {
      id: 'schemas',
      title: 'Schemas',
      entries: entriesOf(node['schemas']).map(([name, value]) => showNamed(open, name, value)),
    },
  ]
  return parts.filter(({ entries }) => entries.length > 0)
}

/** Shows such a part. */
export function showPart({ id, title, entries }: Part): Html {
  return html`<section class="shared" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${entries}
</section>`
}

function showResponse(open: Open, name: string, value: Json): Html {
  const { node } = open(value)
  return folded(answerAnchor(name), name, textOf(node['description']), showAnswer(open, node))
}

function showHeader(open: Open, name: string, value: Json): Html {
  const { node } = open(value)
  const facts = html`<p class="fact">${showFacts(open, node['schema'])}</p>`
  return folded(headerAnchor(name), name, textOf(node['description']), facts)
}

function showNamed(open: Open, name: string, value: Json): Html {
  const { node } = open(value)
  const examples = listOf(node['examples']).map((example, index) => {
    return { name: `${index}`, summary: `${index + 1}`, value: example }
  })
  const contents = [showSchema(open, value), showExamples(examples)]
  return folded(schemaAnchor(name), name, textOf(node['description']), contents)
}

// The anchor is inside, because browsers unfold what holds the target of a link.
function folded(
  anchor: string,
  name: string,
  description: string | undefined,
  contents: Content,
): Html {
  return html`<details class="component">
<summary><code>${name}</code></summary>
<div id="${anchor}">${markdown(description)}${contents}</div>
</details>`
}
