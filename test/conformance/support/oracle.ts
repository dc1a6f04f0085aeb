import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { Json, JsonObject } from '../../support/traffic/contract-index.ts'
import { formats } from './formats.ts'

/** Says what a schema of a description finds wrong with a value, as Ajv sees it. */
export type FaultsOf = (schema: Json | undefined, value: Json) => readonly ErrorObject[]

/** Makes what judges values by the schemas of a description. */
export function createFaultsOf(root: JsonObject): FaultsOf {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false })
  ajv.addFormat('int64', true).addFormat('int32', { type: 'number', validate: isInt32 })
  for (const [name, { isOne }] of Object.entries(formats)) ajv.addFormat(name, isOne)
  ajv.addSchema(root, 'contract')
  const compiled = new Map<Json | undefined, ReturnType<typeof compile>>()

  function compile(schema: Json | undefined) {
    const text = JSON.stringify(schema ?? true)
    return ajv.compile(JSON.parse(text.replaceAll('"$ref":"#', '"$ref":"contract#')))
  }

  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

function isInt32(value: number): boolean {
  return value >= -(2 ** 31) && value < 2 ** 31
}
