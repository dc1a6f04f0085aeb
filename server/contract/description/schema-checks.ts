import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Description, Located } from './description.ts'

/** Checks of values against the schemas of a description, by their place in it. */
export interface SchemaChecks {
  /** Compiles the schema at a JSON Pointer; throws where it cannot be. */
  readonly compile: (pointer: string) => ValidateFunction
  /** What is wrong with a value; nothing where there is no schema. */
  readonly faultsOf: (schema: Located | undefined, value: unknown, place: string) => string[]
}

/** Makes checks of values; each schema is compiled when it is first used. */
export function createSchemaChecks(description: Description): SchemaChecks {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false })
  ajv.addFormat('int64', true).addSchema(description, 'description')
  const validators = new Map<string, ValidateFunction>()

  function compile(pointer: string): ValidateFunction {
    const known = validators.get(pointer)
    const validate = known ?? ajv.compile({ $ref: `description#${encodeURI(pointer)}` })
    validators.set(pointer, validate)
    return validate
  }

  return {
    compile,
    faultsOf(schema, value, place) {
      if (schema === undefined) return []
      const validate = compile(schema.pointer)
      if (validate(value)) return []
      const faults = validate.errors ?? []
      return faults.map(({ instancePath, message }) => `${place}${instancePath} ${message}`)
    },
  }
}
