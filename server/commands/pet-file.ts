import { extname } from 'node:path'
import { operations } from '../../generated/operations.ts'
import { readServedDescription } from '../api.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  locate,
  lookUp,
  rootOf,
} from '../contract/description.ts'
import { petFields } from '../store/pet-store.ts'

/** The formats of files of pets: a table (RFC 4180), or one JSON object on each line. */
const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** How to name a format, for messages. */
export const formatOptions = `--format ${formats.join(' or --format ')}`

/** Returns the format that an option names, or else the one that the name of a file ends in. */
export function formatOf(option: string | undefined, file: string): Format | undefined {
  const name = option ?? extname(file).slice(1).toLowerCase()
  return formats.find((format) => format === name)
}

/** A field that a client sends to create a pet, as the contract describes it. */
export interface Field {
  readonly name: string
  readonly type: Json | undefined
  readonly isRequired: boolean
  /** The only values that are allowed; empty if the contract lists none. */
  readonly values: readonly Json[]
}

export interface PetFields {
  readonly sent: readonly Field[]
  /** The names of the fields that the service assigns. */
  readonly assigned: readonly string[]
}

/** Reads from the contract which fields a pet has. */
export function readPetFields(): PetFields {
  const description = readServedDescription()
  const { method, path, requestBody } = operations.createPet
  const content = ['requestBody', 'content', requestBody.mediaTypes[0], 'schema']
  const body = locate(description, rootOf(description), 'paths', path, method, ...content)
  const schemas = combined(body?.node)
  const required = schemas.flatMap((schema) => toList(schema['required']))
  const properties = schemas.map((schema) => schema['properties']).filter(isObject)
  const sent = Object.entries<Json>(Object.assign({}, ...properties)).map(([name, property]) => {
    const { type, enum: values }: JsonObject = Object.assign({}, ...combined(property))
    return { name, type, isRequired: required.includes(name), values: toList(values) }
  })
  const isSent = (name: string): boolean => sent.some((field) => field.name === name)
  return { sent, assigned: petFields.filter((name) => !isSent(name)) }

  /** Returns a schema after those that it refers to and those that it is combined of. */
  function combined(schema: Json | undefined): JsonObject[] {
    if (!isObject(schema)) return []
    const { $ref, allOf } = schema
    const base = typeof $ref === 'string' ? lookUp(description, $ref) : undefined
    return [...[base, ...toList(allOf)].flatMap(combined), schema]
  }
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
