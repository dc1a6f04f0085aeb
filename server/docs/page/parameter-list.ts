import type { ParameterPlace } from '../../contract/operation.ts'
import { entriesOf, type Open, textOf } from '../described.ts'
import type { DescribedParameter } from '../described-operation.ts'
import { wordOf } from '../schema/limits.ts'
import { showFacts, showNeed } from '../schema/schema-view.ts'
import { type Content, type Html, html } from './html.ts'
import { markdown } from './markdown.ts'

const titles: Readonly<Record<ParameterPlace, string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Header fields',
  cookie: 'Cookies',
}

/** Shows parameters by place, each with its type, limits and description. */
export function showParameters(open: Open, parameters: readonly DescribedParameter[]): Content {
  return Object.entries(titles).map(([place, title]) => {
    const here = parameters.filter((parameter) => parameter.place === place)
    if (here.length === 0) return undefined
    return html`<h4>${title}</h4>
<ul class="properties">${here.map((parameter) => showParameter(open, parameter))}</ul>`
  })
}

function showParameter(open: Open, parameter: DescribedParameter): Html {
  const { name, node, isRequired, example } = parameter
  return html`<li>
<p class="fact"><code class="name">${name}</code> ${showFacts(open, schemaOf(open, parameter), showNeed(isRequired))}</p>
${markdown(textOf(node['description']))}
${example !== undefined && html`<p class="muted">Example: <code>${wordOf(example)}</code></p>`}
</li>`
}

/** The schema of a parameter, which may stand under a media type. */
export function schemaOf(open: Open, { node }: Pick<DescribedParameter, 'node'>) {
  const [content] = entriesOf(node['content'])
  return node['schema'] ?? (content && open(content[1]).node['schema'])
}
