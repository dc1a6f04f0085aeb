import type { Json } from '../../contract/description/description.ts'
import type { BodyExample } from '../described-operation.ts'
import { type Content, html } from './html.ts'

/** Shows examples of a body, folded: the properties above them say what there is. */
export function showExamples(examples: readonly BodyExample[]): Content {
  return examples.map(
    ({ summary, value }) => html`<details class="example">
<summary>Example: ${summary}</summary>
<pre tabindex="0"><code>${printed(value)}</code></pre>
</details>`,
  )
}

/** A body as text: JSON with a line for each member, or the text that it is. */
export function printed(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}
