import { toClientSample, toCurlSample } from '../assets/samples.js'
import type { Filled, Subject } from '../assets/subject.js'
import type { Open } from '../described.ts'
import type { DescribedOperation } from '../described-operation.ts'
import { toField } from './call-form.ts'
import { firstBody } from './examples.ts'
import { type Html, html } from './html.ts'

/** What programs need to know of an operation to call it. */
export function toSubject(operation: DescribedOperation, client: Subject['client']): Subject {
  const { row, parameters, credential } = operation
  return {
    operationId: row.operationId,
    method: row.method,
    path: row.path,
    hasQuery: parameters.some(({ place }) => place === 'query'),
    isPaged: row.paginatedBy !== undefined,
    credential,
    client,
  }
}

/** How an operation is called, with the client and with curl; the two are tabs for those who can. */
export function samplePanel(
  open: Open,
  operation: DescribedOperation,
  subject: Subject,
  baseUrl: string,
): Html {
  const filled = toFilled(open, operation)
  const id = subject.operationId
  const samples = [
    {
      name: 'client',
      title: subject.client.packageName,
      text: toClientSample(subject, filled, baseUrl),
    },
    { name: 'curl', title: 'curl', text: toCurlSample(subject, filled, baseUrl) },
  ]
  return html`<div class="samples" data-tabs>
<div class="tabs" data-tab-list>${samples.map(
    ({ name, title }) =>
      html`<a class="tab" id="${id}-${name}-tab" href="#${id}-${name}">${title}</a>`,
  )}<button type="button" class="copy" data-copy hidden>Copy</button></div>
${samples.map(
  ({ name, title, text }) => html`<div id="${id}-${name}" data-tab-panel>
<pre tabindex="0" aria-label="Sample: ${title}"><code data-sample="${name}">${text}</code></pre></div>`,
)}
</div>`
}

/** What an operation's examples call it with. */
function toFilled(open: Open, operation: DescribedOperation): Filled {
  const [body] = operation.bodies
  return {
    fields: operation.parameters.map((parameter) => toField(open, operation, parameter)),
    body: body && firstBody(body),
    mediaType: body?.mediaType,
  }
}
