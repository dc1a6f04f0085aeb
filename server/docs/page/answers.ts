import type { Json, JsonObject } from '../../contract/description.ts'
import { entriesOf, type Open, textOf } from '../described.ts'
import { bodiesOf, type DescribedBody } from '../described-operation.ts'
import { showSchema } from '../schema/schema-view.ts'
import { typeWords } from '../schema/type-words.ts'
import { showExamples } from './examples.ts'
import { type Content, type Html, html } from './html.ts'
import { inline } from './markdown-inline.ts'

/** The anchor of an answer that several operations share. */
export function answerAnchor(name: string): string {
  return `answer-${name}`
}

/** The anchor of a header field that several answers share. */
export function headerAnchor(name: string): string {
  return `header-${name}`
}

/** Shows answers by status; those that several operations share as links to where they are shown. */
export function showAnswers(open: Open, responses: Json | undefined): Html {
  const answers = entriesOf(responses).map(([status, value]) => ({ status, ...open(value) }))
  const own = answers.filter(({ component }) => component === undefined)
  const shared = answers.filter(({ component }) => component !== undefined)
  return html`${own.map(({ status, node }) => showOwn(open, status, node))}
${shared.length > 0 && html`<ul class="answers">${shared.map(showShared)}</ul>`}`
}

function showOwn(open: Open, status: string, node: JsonObject): Html {
  return html`<div class="answer">
<p>${statusBadge(status)} ${inline(textOf(node['description']) ?? '')}</p>
${showAnswer(open, node)}
</div>`
}

interface Shared {
  readonly status: string
  readonly node: JsonObject
  readonly component?: string
}

function showShared({ status, node, component = '' }: Shared): Html {
  return html`<li>${statusBadge(status)} <span>${inline(textOf(node['description']) ?? '')}
<a href="#${answerAnchor(component)}">${component}</a></span></li>`
}

function statusBadge(status: string): Html {
  return html`<span class="status s${status.slice(0, 1)}">${status}</span>`
}

/** Shows an answer: its header fields, its bodies and their examples. */
export function showAnswer(open: Open, node: JsonObject): Content {
  const headers = entriesOf(node['headers'])
  return [
    headers.length > 0 &&
      html`<p class="headers">Headers: ${headers.map(([name, header], index) => [
        index > 0 && ' ',
        headerName(name, open(header).component),
      ])}</p>`,
    bodiesOf(open, node['content']).map((body) => showBody(open, body)),
  ]
}

function headerName(name: string, component: string | undefined): Html {
  if (component === undefined) return html`<code>${name}</code>`
  return html`<a href="#${headerAnchor(component)}"><code>${name}</code></a>`
}

/** Shows a body in one media type: what it is, what is in it, and examples. */
export function showBody(open: Open, { mediaType, schema, examples }: DescribedBody): Html {
  // Without a name there is nothing to say that does not stand below.
  const isNamed = open(schema).component !== undefined
  return html`<p class="fact"><code>${mediaType}</code>${isNamed && html` <span class="type">${typeWords(open, schema)}</span>`}</p>
${showSchema(open, schema)}
${showExamples(examples, mediaType)}`
}
