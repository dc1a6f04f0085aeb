import type { JsonObject } from '../../../server/description/json.ts'
import { editSchemas } from '../../../server/description/nodes.ts'
import { widenAdditionalProperties } from './additional-properties.ts'
import { addArrayType } from './array-types.ts'
import { separateReference } from './beside-references.ts'
import { addCallbacks } from './callbacks.ts'
import { writeCompositions } from './compositions.ts'
import { writeContent } from './content.ts'
import { separateDirections } from './directions.ts'
import { writeDiscriminators } from './discriminators.ts'
import { readHeaderContent } from './header-content.ts'
import { keepOpen } from './open-enums.ts'
import { describeParameters } from './parameter-texts.ts'
import { writeParameters } from './parameters.ts'
import { resolveReferences } from './references.ts'

/** Returns a bundled description as openapi-typescript reads it correctly, with the types of both directions. */
export function toTypedDescription(description: JsonObject): JsonObject {
  const steps = [
    addCallbacks,
    resolveReferences,
    writeContent,
    readHeaderContent,
    writeParameters,
    describeParameters,
    (each: JsonObject) => editSchemas(each, removeKeywordsWithoutType),
    (each: JsonObject) => editSchemas(each, addArrayType),
    (each: JsonObject) => editSchemas(each, separateReference),
    writeDiscriminators,
    separateDirections,
    writeCompositions,
    (each: JsonObject) => editSchemas(each, widenAdditionalProperties),
    (each: JsonObject) => editSchemas(each, keepOpen),
  ]
  return steps.reduce((each, step) => step(each), description)
}

/** The keywords that hold schemas from which no type is printed. */
const keywordsWithoutType: ReadonlySet<string> = new Set([
  // openapi-typescript would make them a required property; nothing refers to them any more.
  ...['$defs', 'definitions'],
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'dependentSchemas'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])

function removeKeywordsWithoutType(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema)
  return Object.fromEntries(entries.filter(([keyword]) => !keywordsWithoutType.has(keyword)))
}
