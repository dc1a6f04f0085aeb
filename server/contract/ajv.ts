import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Documents } from '../description/documents.ts'
import { type JsonObject, toObject } from '../description/json.ts'
import { multipleOf, regExp, uniqueItems } from './ajv-keywords.ts'
import { boundErrors } from './bounded-errors.ts'
import { ContractError } from './contract-error.ts'
import { declaredNames } from './declared-names.ts'
import { type Direction, documentId, rejectingKeywords, SchemaAdapter } from './schema-adapter.ts'
import { replaceUnevaluated } from './unevaluated.ts'

/** Compiles schemas of a description, or ones that contain some. */
export type CompileSchema = <Values>(schema: JsonObject) => ValidateFunction<Values>

/**
 * Returns a function that compiles schemas with Ajv; the compiled functions report all errors, but at
 * most about 200 of the items or members of one value.
 * Properties that are `readOnly` are rejected in requests, those that are `writeOnly` in responses, and
 * neither is required where it is rejected.
 */
export function createCompiler(documents: Documents, direction: Direction): CompileSchema {
  const document = toObject(documents.root.value)
  const adapter = new SchemaAdapter(documents, direction)
  // A member that an object inherits, such as `constructor`, is none of its own. The check doubles the time.
  const ownProperties = Array.from(declaredNames(document)).some((name) => name in Object.prototype)
  let wholeDocument: JsonObject | undefined
  let checker: Ajv2020 | undefined

  function openAjv(useDefaults: boolean): Ajv2020 {
    const ajv = new Ajv2020({
      strict: false,
      validateSchema: false,
      logger: false,
      allErrors: true,
      useDefaults,
      ownProperties,
      code: { regExp },
    })
    addFormats.default(ajv)
    ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
    addKeywords(ajv, direction)
    replaceUnevaluated(ajv, openChecker)
    boundErrors(ajv)
    wholeDocument ??= adapter.adapt(document)
    return ajv.addSchema(wholeDocument, documentId)
  }

  function openChecker(): Ajv2020 {
    checker ??= openAjv(false)
    return checker
  }

  const ajv = openAjv(direction === 'request')
  return <Values>(schema: JsonObject) => {
    const adapted = adapter.adapt(schema)
    return rejectDeepReferences(() => ajv.compile<Values>(adapted))
  }
}

/** Compiles a schema; throws a `ContractError` if references lead over too many schemas for the stack. */
function rejectDeepReferences<Compiled>(compile: () => Compiled): Compiled {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error
    }

    const advice = 'Let one of them be a schema without a $ref.'
    throw new ContractError(
      `References lead from schema to schema over more steps than can be compiled. ${advice}`,
    )
  }
}

function addKeywords(ajv: Ajv2020, direction: Direction): void {
  const keyword = rejectingKeywords[direction]
  const validate = (isRejected: boolean): boolean => !isRejected
  ajv.removeKeyword(keyword).addKeyword({ keyword, schemaType: 'boolean', validate })
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems)
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf)
}
