import { isObject, type Json } from '../../contract/description.ts'
import { listOf, type Open, textOf } from '../described.ts'
import { type Content, html } from '../page/html.ts'
import { wordOf } from './limits.ts'

/** The anchor of a schema of the description. */
export function schemaAnchor(name: string): string {
  return `schema-${name}`
}

/** What type of value a schema asks for, in a few words; schemas that have a name are links. */
export function typeWords(open: Open, value: Json | undefined): Content {
  const { node, component } = open(value)
  if (component !== undefined) {
    return html`<a href="#${schemaAnchor(component)}">${component}</a>`
  }
  const types = typesOf(node['type'])
  if (types.includes('array')) {
    const others = types.filter((type) => type !== 'array')
    const items = node['items'] === undefined ? 'anything' : typeWords(open, node['items'])
    return [html`array of ${items}`, ...others.map((type) => ` or ${type}`)]
  }
  const values = node['additionalProperties']
  if (types.includes('object') && isObject(values) && node['properties'] === undefined) {
    return html`object of ${typeWords(open, values)}`
  }
  if (types.length > 0) return types.join(' or ')
  const choices = listOf(node['oneOf'] ?? node['anyOf'])
  if (choices.length > 0) return joined(choices.map((choice) => typeWords(open, choice)))
  const [only, ...more] = listOf(node['allOf'])
  if (only !== undefined) return more.length === 0 ? typeWords(open, only) : 'object'
  if (node['properties'] !== undefined) return 'object'
  const valued = [node['const'], ...listOf(node['enum'])].find((one) => one !== undefined)
  return valued === undefined ? 'anything' : typeOfValue(valued)
}

/** The values that a schema allows, where it names them. */
export function allowedValues(open: Open, value: Json | undefined): string[] {
  const { node } = open(value)
  if (node['const'] !== undefined) return [wordOf(node['const'])]
  const own = listOf(node['enum']).map(wordOf)
  const [only, ...more] = listOf(node['allOf'])
  return own.length > 0 || only === undefined || more.length > 0 ? own : allowedValues(open, only)
}

/** The names of the types that a schema states. */
export function typesOf(type: Json | undefined): string[] {
  const types = typeof type === 'string' ? [type] : listOf(type)
  return types.flatMap((one) => textOf(one) ?? [])
}

function joined(contents: readonly Content[]): Content {
  return contents.map((content, index) => (index === 0 ? content : [' or ', content]))
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null'
  if (Number.isInteger(value)) return 'integer'
  return Array.isArray(value) ? 'array' : typeof value
}
