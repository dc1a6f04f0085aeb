import type { Description, Json } from '../../contract/description.ts'
import { entriesOf, listOf, type Open, textOf } from '../described.ts'
import { type Content, type Html, html } from './html.ts'
import { markdown } from './markdown.ts'
import { inline } from './markdown-inline.ts'

/** Shows what the description says of the whole: its purpose, where it is served, who answers. */
export function introduction(open: Open, description: Description): Html {
  const { node: info } = open(description['info'])
  return html`<section id="introduction" aria-labelledby="introduction-title">
<h2 id="introduction-title">Introduction</h2>
<p class="lead">${inline(textOf(info['summary']) ?? '')}</p>
${markdown(textOf(info['description']))}
${showServers(open, listOf(description['servers']))}
${showPeople(open, info)}
</section>`
}

function showServers(open: Open, servers: readonly Json[]): Content {
  if (servers.length === 0) return undefined
  return html`<h3>Servers</h3>
<ul class="properties">${servers.map((server) => {
    const { node } = open(server)
    const variables = entriesOf(node['variables'])
    return html`<li><p class="fact"><code>${textOf(node['url'])}</code> ${textOf(node['description'])}</p>
${variables.map(([name, value]) => html`<p class="muted"><code>${name}</code>: ${inline(textOf(open(value).node['description']) ?? '')}</p>`)}</li>`
  })}</ul>`
}

function showPeople(open: Open, info: { readonly [name: string]: Json | undefined }): Content {
  const { node: license } = open(info['license'])
  const name = textOf(license['name'])
  return html`<p class="muted">The description itself: <a href="openapi.json">openapi.json</a>, <a href="openapi.yaml">openapi.yaml</a>.
${name !== undefined && html` License: ${name}.`}</p>`
}
