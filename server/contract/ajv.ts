import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Documents } from '../description/documents.ts'
import type { JsonObject } from '../description/json.ts'
import type { Mark } from '../description/schemas.ts'
import type { RequestSettings } from '../description/settings.ts'
import { multipleOf, regExp, uniqueItems } from './ajv-keywords.ts'
import { boundErrors } from './bounded-errors.ts'
import { ContractError } from './contract-error.ts'
import { declaredNames } from './declared-names.ts'
import { removeReadOnly } from './read-only.ts'
import { type Direction, documentId, SchemaAdapter } from './schema-adapter.ts'
import { replaceUnevaluated } from './unevaluated.ts'

/** Returns whether values fit a schema; else `errors` has what is wrong with them. */
export interface Validate<Values = unknown> {
  (values: unknown): values is Values
  errors?: ErrorObject[] | null
}

/** Compiles schemas of a description, or ones that contain some. */
export type CompileSchema = <Values>(schema: JsonObject) => Validate<Values>

/**
 * Returns a function that compiles schemas with Ajv; the compiled functions report all errors, but at
 * most about 200 of the items or members of one value.
 * Properties that are `readOnly` are removed from requests before, unless the settings reject them, those that are
 * `writeOnly` are rejected in responses, and neither is required there.
 */
export function createCompiler(
  documents: Documents,
  direction: Direction,
  {
    readOnlyMembers = 'drop',
    largeIntegers = 'reject',
  }: Pick<RequestSettings, 'readOnlyMembers' | 'largeIntegers'> = {},
): CompileSchema {
  const adapter = new SchemaAdapter(documents, direction)
  // A member that an object inherits, such as `constructor`, is none of its own. The check doubles the time.
  const ownProperties = Array.from(declaredNames(documents.root.value)).some(
    (name) => name in Object.prototype,
  )
  const isRequest = direction === 'request'
  const areDropped = isRequest && readOnlyMembers === 'drop'
  const hasDropped = areDropped && JSON.stringify(documents.root.value).includes('"readOnly":true')
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
    // The range of integers that are not safe is checked by their exact texts.
    const isInteger = largeIntegers === 'accept' ? Number.isInteger : Number.isSafeInteger
    ajv.addFormat('int64', { type: 'number', validate: isInteger })
    addKeywords(ajv)
    if (!areDropped) {
      rejectMarked(ajv, isRequest ? 'readOnly' : 'writeOnly')
    }
    replaceUnevaluated(ajv, openChecker)
    boundErrors(ajv)
    wholeDocument ??= adapter.adaptDescription()
    return ajv.addSchema(wholeDocument, documentId)
  }

  function openChecker(): Ajv2020 {
    checker ??= openAjv(false)
    return checker
  }

  const ajv = openAjv(isRequest)
  return <Values>(schema: JsonObject) => {
    const adapted = adapter.adapt(schema)
    const validate = rejectDeepReferences(() => ajv.compile<Values>(adapted))
    return hasDropped ? validateWithoutReadOnly(validate, adapted, openChecker()) : validate
  }
}

/** Returns a function that removes `readOnly` members from values before it validates them. */
function validateWithoutReadOnly<Values>(
  validate: Validate<Values>,
  schema: JsonObject,
  checker: Ajv2020,
): Validate<Values> {
  const validateOthers: Validate<Values> = (values): values is Values => {
    removeReadOnly(schema, values, checker)
    const isValid = validate(values)
    validateOthers.errors = validate.errors ?? null
    return isValid
  }
  return validateOthers
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

function rejectMarked(ajv: Ajv2020, keyword: Mark): void {
  const validate = (isRejected: boolean): boolean => !isRejected
  ajv.removeKeyword(keyword).addKeyword({ keyword, schemaType: 'boolean', validate })
}

function addKeywords(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems)
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf)
}
