import type { Json } from '../../contract/description.ts'
import type { BodyExample, DescribedBody } from '../described-operation.ts'
import { type Content, html } from './html.ts'

/** Shows examples of a body, folded: the properties above them say what there is. */
export function showExamples(
  examples: readonly BodyExample[],
  mediaType = 'application/json',
): Content {
  return examples.map(
    ({ summary, value }) => html`<details class="example">
<summary>Example: ${summary}</summary>
<pre tabindex="0"><code>${printed(value, mediaType)}</code></pre>
</details>`,
  )
}

/** A body as it is sent: JSON with a line for each member, or the text that it is. */
export function printed(value: Json, mediaType: string): string {
  const isText = typeof value === 'string' && !isJson(mediaType)
  return isText ? value : JSON.stringify(value, undefined, 2)
}

/** The body that a call begins with: the first example, or else the least that is JSON. */
export function firstBody({ mediaType, examples }: DescribedBody): string {
  const [first] = examples
  if (first !== undefined) return printed(first.value, mediaType)
  return isJson(mediaType) ? '{}' : ''
}

function isJson(mediaType: string): boolean {
  return /\bjson\b/i.test(mediaType)
}
