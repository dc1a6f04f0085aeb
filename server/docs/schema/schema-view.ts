import type { Json } from '../../contract/description.ts'
import { listOf, type Open, textOf } from '../described.ts'
import { type Content, type Html, html } from '../page/html.ts'
import { markdown } from '../page/markdown.ts'
import { limitsOf } from './limits.ts'
import { type Property, propertiesOf } from './properties.ts'
import { allowedValues, typesOf, typeWords } from './type-words.ts'

/** How deep objects without a name are unfolded. */
const deepest = 6

/** Shows a schema: its properties, or the values that it allows. */
export function showSchema(open: Open, value: Json | undefined, depth = 0): Content {
  const { node } = open(value)
  const properties = propertiesOf(open, value)
  const choices = listOf(node['oneOf'] ?? node['anyOf'])
  return [
    properties.length === 0 && choices.length === 0 && showValue(open, node),
    properties.length > 0 &&
      html`<ul class="properties">${properties.map((one) => showProperty(open, one, depth))}</ul>`,
    choices.length > 0 && showChoices(open, choices, depth),
    isClosed(node) && html`<p class="muted">No other properties.</p>`,
  ]
}

/** Shows of a single value: its type, what it is limited to, and the values that it may have. */
export function showFacts(open: Open, value: Json | undefined, need?: Content): Content {
  const { node } = open(value)
  const limits = limitsOf(node)
  const allowed = allowedValues(open, value)
  return [
    html`<span class="type">${typeWords(open, value)}</span>`,
    need,
    limits.map((limit) => html` <span class="limit">${limit}</span>`),
    allowed.length > 0 && html` <span class="allowed">${allowed.map(showAllowed)}</span>`,
  ]
}

function showAllowed(word: string, index: number): Content {
  return [index > 0 && ' ', html`<code>${word}</code>`]
}

function showProperty(open: Open, { name, schema, isRequired }: Property, depth: number): Html {
  const { node, component } = open(schema)
  const inner = component === undefined && depth < deepest ? innerOf(open, node) : undefined
  return html`<li>
<p class="fact"><code class="name">${name}</code> ${showFacts(open, schema, showNeed(isRequired))}</p>
${markdown(textOf(node['description']))}
${inner !== undefined && html`<div class="nested">${showSchema(open, inner, depth + 1)}</div>`}
</li>`
}

/** Shows whether something may be left out. */
export function showNeed(isRequired: boolean): Content {
  return isRequired
    ? html` <strong class="need">required</strong>`
    : html` <span class="limit">optional</span>`
}

// What is worth unfolding below a property: an object, or the objects of a list, without a name.
function innerOf(open: Open, node: Json): Json | undefined {
  const { node: schema } = open(node)
  if (propertiesOf(open, schema).length > 0) return schema
  const { node: items, component } = open(schema['items'])
  return component === undefined && propertiesOf(open, items).length > 0 ? items : undefined
}

function showValue(open: Open, node: Json): Html {
  const { node: items } = open(open(node).node['items'])
  const unnamed =
    propertiesOf(open, items).length > 0 && open(open(node).node['items']).component === undefined
  return html`<p class="fact">${showFacts(open, node)}</p>
${unnamed && html`<div class="nested">${showSchema(open, items, 1)}</div>`}`
}

function showChoices(open: Open, choices: readonly Json[], depth: number): Html {
  return html`<p class="muted">One of:</p><ul class="choices">${choices.map((choice) => {
    const { node, component } = open(choice)
    const isObject = typesOf(node['type']).includes('object') || node['properties'] !== undefined
    const unfolds = component === undefined && isObject && depth < deepest
    return html`<li>${showFacts(open, choice)}${unfolds && showSchema(open, choice, depth + 1)}</li>`
  })}</ul>`
}

function isClosed(node: { readonly [name: string]: Json | undefined }): boolean {
  return node['additionalProperties'] === false || node['unevaluatedProperties'] === false
}
