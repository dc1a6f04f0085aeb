import type { DescribedOperation } from '../described-operation.ts'
import type { Part } from './components.ts'
import { type Html, html } from './html.ts'
import { methodBadge } from './operation-section.ts'

/** Operations under a tag. */
export interface Group {
  readonly name: string
  readonly description: string | undefined
  readonly operations: readonly DescribedOperation[]
}

/** The list of everything on the page, with a field that narrows it. */
export function contents(groups: readonly Group[], parts: readonly Part[]): Html {
  return html`<nav class="contents" aria-label="Contents">
<details open data-contents><summary>Contents</summary>
<p class="filter" data-filter hidden><label for="filter">Find an operation</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" aria-describedby="filter-hint">
<span class="muted" id="filter-hint">Press <kbd>/</kbd> to come here</span>
<span class="unseen" role="status" data-found></span></p>
<ul><li><a class="entry" href="#introduction">Introduction</a></li></ul>
${groups.map(showGroup)}
<ul>${parts.map(({ id, title }) => html`<li><a class="entry" href="#${id}">${title}</a></li>`)}</ul>
</details>
</nav>`
}

function showGroup({ name, operations }: Group): Html {
  return html`<p class="group">${name}</p>
<ul>${operations.map(showEntry)}</ul>`
}

function showEntry({ row, summary }: DescribedOperation): Html {
  const { operationId, method, path, deprecation } = row
  return html`<li data-entry="${`${operationId} ${method} ${path} ${summary}`.toLowerCase()}">
<a class="entry" href="#${operationId}">${methodBadge(method)} <span>${summary}</span>${deprecation !== undefined && html` <span class="tag">deprecated</span>`}</a></li>`
}
