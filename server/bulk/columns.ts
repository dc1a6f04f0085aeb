import { type Description, isObject, type Json, locate, rootOf } from '../contract/description.ts'
import type { Operation } from '../contract/operation.ts'
import { createOpen, listOf, propertiesOf } from './description-properties.ts'

/** A field of an object in the contract, as far as a table of text has to know it. */
export interface Column {
  readonly name: string
  readonly type: Json | undefined
  readonly isRequired: boolean
  /** The only values that it may have; none where others may be. */
  readonly values: readonly Json[]
}

/** The fields of what an operation is sent. */
export function bodyColumns(description: Description, { method, path }: Operation): Column[] {
  return columnsOf(description, ['paths', path, method, 'requestBody'])
}

/** The fields of what an operation answers when it succeeds. */
export function answerColumns(description: Description, { method, path }: Operation): Column[] {
  const place = ['paths', path, method, 'responses']
  const responses = locate(description, rootOf(description), ...place)?.node ?? {}
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? ''
  return columnsOf(description, [...place, success])
}

function columnsOf(description: Description, place: readonly string[]): Column[] {
  const content = locate(description, rootOf(description), ...place, 'content')?.node ?? {}
  const [first] = Object.values(content)
  const open = createOpen(description)
  const schema = isObject(first) ? first['schema'] : undefined
  return propertiesOf(open, schema).map(({ name, schema: property, isRequired }) => ({
    name,
    type: open(property).node['type'],
    isRequired,
    values: listOf(open(property).node['enum']),
  }))
}
