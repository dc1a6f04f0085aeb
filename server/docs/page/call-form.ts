import type { Field } from '../assets/subject.js'
import type { Open } from '../described.ts'
import type {
  DescribedBody,
  DescribedOperation,
  DescribedParameter,
} from '../described-operation.ts'
import { wordOf } from '../schema/limits.ts'
import { allowedValues, typesOf } from '../schema/type-words.ts'
import { firstBody, printed } from './examples.ts'
import { type Content, type Html, html } from './html.ts'
import { schemaOf } from './parameter-list.ts'

/**
 * The form that sends an operation's request for real, as a template: it needs a program, and a
 * thousand forms at once would take a browser many seconds.
 */
export function callForm(open: Open, operation: DescribedOperation): Html {
  const { row, parameters, bodies } = operation
  const id = row.operationId
  return html`<template data-call><form class="call" aria-labelledby="${id}-try">
<h4 id="${id}-try">Try <code>${id}</code></h4>
${parameters.map((parameter) => showField(open, operation, parameter))}
${bodies[0] !== undefined && showBodyField(id, bodies[0])}
<p class="send"><button type="submit">Send ${row.method.toUpperCase()}</button>
<span class="muted" data-credential></span></p>
<div class="result" data-result role="status"></div>
</form></template>`
}

/** A parameter as the form begins with it: what is needed, and what makes the example. */
export function toField(
  open: Open,
  operation: DescribedOperation,
  parameter: DescribedParameter,
): Field {
  const { name, place, node, isRequired, example } = parameter
  const schema = open(schemaOf(open, parameter)).node
  const [type = 'string'] = typesOf(schema['type']).filter((one) => one !== 'null')
  const [items = 'string'] = typesOf(open(schema['items']).node['type'])
  // Where a page begins is known only from the page before.
  const isWanted = isRequired || (place === 'query' && name !== operation.row.paginatedBy)
  const value = isWanted && example !== undefined ? wordOf(example) : ''
  // The default of OpenAPI for the places where it matters here.
  const explode = node['explode'] !== false && place === 'query'
  return { name, place, type, items, explode, value }
}

function showField(open: Open, operation: DescribedOperation, parameter: DescribedParameter): Html {
  const field = toField(open, operation, parameter)
  const id = `${operation.row.operationId}-${field.place}-${field.name}`
  const { value: _, ...about } = field
  const note = parameter.isRequired ? field.place : `${field.place}, optional`
  // Browsers let no program send cookies of its choice.
  if (field.place === 'cookie')
    return html`<p class="muted">${field.name}: the browser's own cookie</p>`
  const data = JSON.stringify(about)
  return html`<p class="field"><label for="${id}"><code>${field.name}</code> <span class="muted">${note}</span></label>
${showInput(open, id, data, field, parameter)}</p>`
}

function showInput(
  open: Open,
  id: string,
  data: string,
  { value, type }: Field,
  parameter: DescribedParameter,
): Content {
  const { isRequired, example } = parameter
  const named = allowedValues(open, schemaOf(open, parameter))
  const values = type === 'boolean' && named.length === 0 ? ['true', 'false'] : named
  const need = isRequired && html` required`
  if (values.length === 0) {
    const hint = example !== undefined && html` placeholder="${wordOf(example)}"`
    return html`<input id="${id}" data-field="${data}" value="${value}"${hint}${need} autocomplete="off" spellcheck="false">`
  }
  return html`<select id="${id}" data-field="${data}"${need}>
${!isRequired && html`<option value="">not sent</option>`}
${values.map((one) => html`<option${one === value && html` selected`}>${one}</option>`)}</select>`
}

function showBodyField(id: string, body: DescribedBody): Html {
  const { mediaType, examples } = body
  const text = firstBody(body)
  return html`<p class="field"><label for="${id}-body">Body <span class="muted">${mediaType}</span></label>
${
  examples.length > 1 &&
  html`<select data-examples aria-label="Example to begin with">${examples.map(
    ({ summary, value }) => html`<option value="${printed(value, mediaType)}">${summary}</option>`,
  )}</select>`
}
<textarea id="${id}-body" data-body="${mediaType}" rows="${Math.min(Math.max(text.split('\n').length, 3), 16)}" spellcheck="false">
${text}</textarea></p>`
}
