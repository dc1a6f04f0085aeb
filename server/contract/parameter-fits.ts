import type { JsonObject } from '../description/json.ts'
import type { CompileSchema, Validate } from './ajv.ts'
import type { ReadParameter } from './parameter-rows.ts'
import type { Fits } from './parameter-value.ts'

/** Returns the function that decides between the values that a parameter of several types may be. */
export function createFits(
  schemaOf: (parameter: ReadParameter) => JsonObject,
  compile: CompileSchema,
): Fits {
  const compiled = new Map<object, Validate>()

  return function fits(parameter, value) {
    const validate = compiled.getOrInsertComputed(parameter.row, () => compile(schemaOf(parameter)))
    return validate(value)
  }
}
