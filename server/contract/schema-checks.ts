import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Description, Located } from './description.ts'

/** Makes a check of values against schemas of a description; each is compiled when first used. */
export function createSchemaChecks(description: Description) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false })
  ajv.addFormat('int64', true).addSchema(description, 'description')
  const validators = new Map<string, ValidateFunction>()

  return function faultsOf(schema: Located | undefined, value: unknown, place: string): string[] {
    if (schema === undefined) return []
    const known = validators.get(schema.pointer)
    const validate = known ?? ajv.compile({ $ref: `description#${encodeURI(schema.pointer)}` })
    validators.set(schema.pointer, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map((fault) => `${place}${fault.instancePath} ${fault.message}`)
  }
}
