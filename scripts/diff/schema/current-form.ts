import type { JsonObject } from '../../../server/description/json.ts'
import {
  isCombining,
  toCurrentSchema,
  withoutIgnored,
} from '../../../server/description/normalise.ts'

/** A schema in the form of OpenAPI 3.1; those in it are as the description writes them. */
interface CurrentSchema {
  readonly value: JsonObject
  /** Whether `null` is valid, whatever the schema says. */
  readonly isNullable: boolean
}

/** Returns a schema of a description in the form of OpenAPI 3.1, each keyword in its place. */
export type ToCurrentForm = (schema: JsonObject) => CurrentSchema

/** Returns a schema of OpenAPI 3.1 or 3.2. */
export const keepForm: ToCurrentForm = (value) => ({ value, isNullable: false })

/** Returns a schema of OpenAPI 3.0 as the service reads it. */
export const fromOldForm: ToCurrentForm = (schema) => {
  const { nullable, example, ...otherKeywords } = withoutIgnored(schema, 'schema')
  // One that combines schemas would become an alternative of null, in another place.
  const isNullable = nullable === true && isCombining(otherKeywords)
  const isOwnType = nullable === true && !isNullable
  const isMalformed = nullable !== undefined && typeof nullable !== 'boolean'
  const current = toCurrentSchema(isOwnType ? { ...otherKeywords, nullable } : otherKeywords)
  const value = {
    ...current,
    ...(example !== undefined && { example }),
    ...(isMalformed && { nullable }),
  }
  return { value, isNullable }
}
