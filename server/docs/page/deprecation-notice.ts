import type { Deprecation } from '../../contract/operation.ts'
import { type Content, html } from './html.ts'

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Shows since when an operation is deprecated, when it will be removed, and what replaces it. */
export function deprecationNotice(deprecation: Deprecation | undefined): Content {
  if (deprecation === undefined) return undefined
  const { since, sunset, replacedBy } = deprecation
  return html`<div class="notice">
<p><strong>Deprecated</strong>${since !== undefined && html` since ${day(since)}`}.
${sunset !== undefined && html`It will be removed on <strong>${day(sunset)}</strong>.`}
${replacedBy !== undefined && html`Use <a href="#${replacedBy.operationId}">${replacedBy.description ?? replacedBy.operationId}</a> instead.`}</p>
</div>`
}

/** A day, such as 2030-12-05, in words; a text that is no day stays as it is. */
export function day(date: string): Content {
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : html`<time datetime="${date}">${dates.format(time)}</time>`
}
