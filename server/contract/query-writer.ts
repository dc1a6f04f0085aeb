import { isUsuallyExploded } from '../description/parameter-form.ts'
import { writeParameter } from '../description/parameter-writer.ts'
import type { Parameter } from './operation.ts'

/**
 * Writes values of query parameters, in their order, as they are read. Undefined values and empty arrays are
 * omitted; a value without a text is an error where requests cannot have one.
 */
export function writeQuery(
  values: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, Parameter>>,
): string {
  const pairs = Object.entries(values).map(([name, value]) => {
    const row = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    return value === undefined ? '' : writeValue(name, value, row ?? { required: false })
  })
  return pairs.filter((pair) => pair !== '').join('&')
}

function writeValue(name: string, value: unknown, row: Parameter): string {
  const isEmpty = Array.isArray(value)
    ? value.includes('') && row.items?.emptyText !== true
    : value === '' && row.emptyText !== true
  if (isEmpty) {
    throw new Error(`The parameter ${name} has a value without a text.`)
  }

  const { style = 'form', explode = isUsuallyExploded(style), allowReserved = false } = row
  const isJson = row.content === 'json'
  return writeParameter({ name, location: 'query', style, explode, allowReserved, isJson }, value)
}
