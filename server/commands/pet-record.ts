import { extname } from 'node:path'
import { operations } from '../../generated/operations.ts'
import { readServedDescription } from '../api.ts'
import type { CheckedBody } from '../contract/body-checks.ts'
import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  locate,
  lookUp,
  rootOf,
} from '../contract/description.ts'
import type { NewPet } from '../store/pet-store.ts'

/** The formats of files of pets: a table (RFC 4180), or one JSON object on each line. */
export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** Returns the format that an option names. */
export function toFormat(name: string): Format | undefined {
  return formats.find((format) => format === name)
}

/** Returns the format that the name of a file ends in. */
export function formatOf(file: string): Format | undefined {
  return toFormat(extname(file).slice(1).toLowerCase())
}

/** One record of a file. */
export interface PetRecord {
  /** The number of the line on which it begins, from 1. */
  readonly line: number
  readonly checked: CheckedBody<NewPet>
}

/** A field of a pet, as the contract describes it. */
export interface Field {
  readonly name: string
  readonly type: Json | undefined
  readonly isRequired: boolean
  /** The only values that are allowed; empty if the contract lists none. */
  readonly values: readonly Json[]
}

export interface PetFields {
  /** The fields that a client sends to create a pet. */
  readonly sent: readonly Field[]
  /** The names of the fields that only the response has: the service assigns them. */
  readonly assigned: readonly string[]
}

/** Reads from the contract which fields a pet has. */
export function readPetFields(): PetFields {
  const description = readServedDescription()
  const { method, path } = operations.createPet
  const operation = ['paths', path, method]
  const responses = locate(description, rootOf(description), ...operation, 'responses')?.node ?? {}
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? ''
  const sent = fieldsAt(description, ...operation, 'requestBody')
  const stored = fieldsAt(description, ...operation, 'responses', success)
  const isSent = (name: string): boolean => sent.some((field) => field.name === name)
  return { sent, assigned: stored.map(({ name }) => name).filter((name) => !isSent(name)) }
}

function fieldsAt(description: Description, ...location: readonly string[]): Field[] {
  const content = locate(description, rootOf(description), ...location, 'content')?.node ?? {}
  const [mediaType] = Object.values(content)
  const properties = new Map<string, JsonObject>()
  const required = new Set<Json>()
  collect(isObject(mediaType) ? mediaType['schema'] : undefined)
  return [...properties].map(([name, schema]) => ({
    name,
    type: schema['type'],
    isRequired: required.has(name),
    values: toList(schema['enum']),
  }))

  function collect(value: Json | undefined): void {
    const schema = dereference(description, value)
    for (const part of toList(schema['allOf'])) collect(part)
    for (const [name, property] of Object.entries(dereference(description, schema['properties']))) {
      const narrowed = dereference(description, property)
      properties.set(name, { ...properties.get(name), ...narrowed })
    }
    for (const name of toList(schema['required'])) required.add(name)
  }
}

function dereference(description: Description, value: Json | undefined): JsonObject {
  if (!isObject(value)) return {}
  const { $ref, ...own } = value
  if (typeof $ref !== 'string') return value
  return { ...dereference(description, lookUp(description, $ref)), ...own }
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
