import {
  type Description,
  type Json,
  type JsonObject,
  locate,
  rootOf,
} from '../contract/description.ts'
import { isPublic, type Operation, type ParameterPlace } from '../contract/operation.ts'
import { entriesOf, listOf, type Open, textOf } from './described.ts'

/** A parameter as the description has it. */
export interface DescribedParameter {
  readonly name: string
  readonly place: ParameterPlace
  readonly node: JsonObject
  readonly isRequired: boolean
  readonly example: Json | undefined
}

/** An example of a body, by its name. */
export interface BodyExample {
  readonly name: string
  readonly summary: string
  readonly value: Json
}

/** A body in one media type. */
export interface DescribedBody {
  readonly mediaType: string
  readonly schema: Json | undefined
  readonly examples: readonly BodyExample[]
}

/** Where a credential goes: a header field, and what stands before the credential in it. */
export interface CredentialPlace {
  readonly header: string
  readonly prefix: string
}

/** An operation with what its description says of it. */
export interface DescribedOperation {
  readonly row: Operation
  readonly node: JsonObject
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters: readonly DescribedParameter[]
  readonly bodies: readonly DescribedBody[]
  readonly credential: CredentialPlace | undefined
}

const places: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie']

/** Reads what a description says of an operation. */
export function describeOperation(
  description: Description,
  open: Open,
  row: Operation,
): DescribedOperation {
  const pathItem = locate(description, rootOf(description), 'paths', row.path)?.node ?? {}
  const { node } = open(pathItem[row.method])
  const listed = [...listOf(pathItem['parameters']), ...listOf(node['parameters'])]
  const read = listed.flatMap((value) => toParameter(open, value))
  // An operation's parameter replaces the one of its path item with the same place and name.
  const byKey = new Map(read.map((one) => [`${one.place} ${one.name}`, one]))
  return {
    row,
    node,
    tags: listOf(node['tags']).flatMap((tag) => textOf(tag) ?? []),
    summary: textOf(node['summary']) ?? row.operationId,
    parameters: places.flatMap((place) => [...byKey.values()].filter((one) => one.place === place)),
    bodies: bodiesOf(open, open(node['requestBody']).node['content']),
    credential: isPublic(row) ? undefined : credentialPlace(description, open, row),
  }
}

function toParameter(open: Open, value: Json): DescribedParameter[] {
  const { node } = open(value)
  const place = places.find((one) => one === node['in'])
  const name = textOf(node['name'])
  if (place === undefined || name === undefined) return []
  const isRequired = node['required'] === true || place === 'path'
  const [named] = entriesOf(node['examples'])
  const example = node['example'] ?? (named && open(named[1]).node['value'])
  return [{ name, place, node, isRequired, example }]
}

/** The bodies of a `content`, each with its examples. */
export function bodiesOf(open: Open, content: Json | undefined): DescribedBody[] {
  return entriesOf(content).map(([mediaType, value]) => {
    const { node } = open(value)
    const named = entriesOf(node['examples']).flatMap(([name, example]) => {
      const { summary, value: body } = open(example).node
      return body === undefined ? [] : [{ name, summary: textOf(summary) ?? name, value: body }]
    })
    const single = node['example']
    const own = single === undefined ? [] : [{ name: 'example', summary: 'Example', value: single }]
    return { mediaType, schema: node['schema'], examples: [...own, ...named] }
  })
}

function credentialPlace(
  description: Description,
  open: Open,
  { security }: Operation,
): CredentialPlace | undefined {
  const [name = ''] = Object.keys(security[0] ?? {})
  const schemes = open(open(description['components']).node['securitySchemes']).node
  const { node } = open(schemes[name])
  if (node['type'] === 'apiKey' && node['in'] === 'header') {
    return { header: textOf(node['name']) ?? '', prefix: '' }
  }
  const prefix = textOf(node['scheme'])?.toLowerCase() === 'basic' ? 'Basic ' : 'Bearer '
  return { header: 'Authorization', prefix }
}
