import type { Subject } from '../assets/subject.js'
import { type Open, textOf } from '../described.ts'
import type { DescribedOperation } from '../described-operation.ts'
import { showAnswers, showBody } from './answers.ts'
import { callForm } from './call-form.ts'
import { deprecationNotice } from './deprecation-notice.ts'
import { type Content, type Html, html } from './html.ts'
import { markdown } from './markdown.ts'
import { showParameters } from './parameter-list.ts'
import { samplePanel, toSubject } from './sample-panel.ts'

/** Shows an operation: what it does, takes and answers, how it is called, and a form to try it. */
export function operationSection(
  open: Open,
  operation: DescribedOperation,
  client: Subject['client'],
  baseUrl: string,
): Html {
  const { row, node, summary, parameters } = operation
  const subject = toSubject(operation, client)
  const id = row.operationId
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title" data-subject="${JSON.stringify(subject)}">
<div class="said">
<h3 id="${id}-title"><a href="#${id}">${summary}</a> <code>${id}</code></h3>
<p class="route">${methodBadge(row.method)} <code>${row.path}</code></p>
${deprecationNotice(row.deprecation)}
${markdown(textOf(node['description']))}
${showParameters(open, parameters)}
${showRequestBody(open, operation)}
<h4>Answers</h4>
${showAnswers(open, node['responses'])}
</div>
<div class="tried">
${samplePanel(open, operation, subject, baseUrl)}
${callForm(open, operation)}
</div>
</section>`
}

/** The method of an operation, as it stands before its path. */
export function methodBadge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`
}

function showRequestBody(open: Open, { row, node, bodies }: DescribedOperation): Content {
  if (row.requestBody === undefined) return undefined
  const { required, maxBytes } = row.requestBody
  const limit = maxBytes !== undefined && `, at most ${maxBytes.toLocaleString('en')} bytes`
  return html`<h4>Body</h4>
${markdown(textOf(open(node['requestBody']).node['description']))}
<p class="muted">${required ? 'Required' : 'Optional'}${limit}.</p>
${bodies.map((body) => showBody(open, body))}`
}
