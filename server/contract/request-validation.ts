import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Request, RequestHandler } from 'express'
import type { Description } from '../description/description.ts'
import { findMediaType } from '../description/media-types.ts'
import { requestSettingsOf } from '../description/settings.ts'
import { type CompileSchema, createCompiler, type Validate } from './ajv.ts'
import { maxErrorsOfLoop } from './bounded-errors.ts'
import type { Contract } from './contract.ts'
import { declaredNames } from './declared-names.ts'
import { toDetails, truncateDetails } from './details.ts'
import { type ApiError, type Detail, invalidRequest } from './errors.ts'
import { readLargeIntegers } from './large-integers.ts'
import { parameterSchema, requestSchema } from './message-schemas.ts'
import { OpenApiValidator } from './open-api-validator.ts'
import type { Operation } from './operation.ts'
import type { Fits } from './parameter-value.ts'
import { createParameterReader, type RequestValues, type SentParameters } from './parameters.ts'

/** A request whose parameters are decoded and whose body is parsed. */
interface DecodedRequest {
  readonly operation: Operation
  readonly sent: SentParameters
  readonly values: RequestValues
}

/** Accepts a request, or returns what its schema finds wrong with its values. */
type Accept = (decoded: DecodedRequest) => true | readonly ErrorObject[]

/** Returns the error of a request that is not accepted. */
type Explain = (decoded: DecodedRequest, errors: readonly ErrorObject[]) => Promise<ApiError>

/**
 * Returns a function that creates the middleware of an operation that validates parameters and body, and
 * puts their values into the context. The request itself is only read.
 */
export function createRequestValidation({ description, operations, settings }: Contract) {
  const requests = requestSettingsOf(settings)
  const knownNames = declaredNames(description.documents.root.value)
  const compile = createCompiler(description.documents, 'request', requests)
  const acceptRequest = createAccept(description, compile)
  const explainRejection = createExplain(description, Object.values(operations))

  return function validationOf(operation: Operation): RequestHandler {
    const fits = createFits(description, operation, compile)
    const readParameters = createParameterReader(operation, fits, requests)

    return async function validateRequest(request, { locals }, next) {
      const sent = readParameters(request, locals)
      locals.ignoredParameters = sent.ignored
      const decoded = { operation, sent, values: toValues(sent, request, locals) }
      const errors = acceptRequest(decoded)
      if (errors !== true) {
        throw await explainRejection(decoded, errors)
      }
      if (locals.largeIntegers !== undefined) {
        const { largeIntegers } = locals
        const found = readLargeIntegers(description, operation, decoded.values, largeIntegers)
        if (found.details.length > 0) {
          throw invalidRequest(truncateDetails(found.details, knownNames), found.details.length)
        }
        locals.exactIntegers = found.exact
      }

      locals.values = decoded.values
      next()
    }
  }
}

function toValues(
  { path, query, headers, cookies }: SentParameters,
  { body }: Request,
  { mediaType }: Express.Locals,
): RequestValues {
  return { path, query, headers, cookies, mediaType, body }
}

/** Returns the function that decides between the values that a parameter of several types may be. */
function createFits(description: Description, operation: Operation, compile: CompileSchema): Fits {
  const compiled = new Map<object, Validate>()

  return function fits(parameter, value) {
    const validate = compiled.getOrInsertComputed(parameter.row, () => {
      return compile(parameterSchema(description, operation, parameter))
    })
    return validate(value)
  }
}

/**
 * Returns the function that accepts a request if its parameters are in the form of their types, and one
 * schema, which Ajv compiles for each operation and media type, fits its values.
 */
function createAccept(description: Description, compile: CompileSchema): Accept {
  /** The compiled schemas by operation and media type of the body. */
  const compiled = new Map<Operation, Map<string | undefined, Validate>>()

  function validatorOf(operation: Operation, mediaType: string | undefined): Validate {
    const known = compiled.get(operation)?.get(mediaType)
    if (known !== undefined) {
      return known
    }

    const { mediaTypes = [] } = operation.requestBody ?? {}
    // Without a body, it does not matter which schema of a body there is.
    const declared = mediaType === undefined ? mediaTypes[0] : findMediaType(mediaTypes, mediaType)
    // By the declared name: any number of types belong to a range.
    return compiled
      .getOrInsertComputed(operation, () => new Map())
      .getOrInsertComputed(declared, () => compile(requestSchema(description, operation, declared)))
  }

  return function acceptRequest({ operation, sent, values }) {
    const validate = validatorOf(operation, values.mediaType)
    const isValid = validate(values)
    if (isValid && sent.details.length === 0 && sent.rounded.length === 0) {
      return true
    }
    return validate.errors ?? []
  }
}

/**
 * Returns the function that explains why a request is rejected: by the form of its parameters, by the errors
 * of its schema, and by what express-openapi-validator finds in other parameters.
 */
function createExplain(description: Description, operations: readonly Operation[]): Explain {
  const openApiValidator = new OpenApiValidator(description, operations)
  const knownNames = declaredNames(description.documents.root.value)

  return async function explainRejection({ operation, sent, values }, errors) {
    const ofForm = sent.details
    const ofSchema = withoutReported(toDetails(errors), ofForm)
    const known = [...ofForm, ...ofSchema]
    const others = withoutReported(await openApiValidator.validate(operation, values), known)

    const rounded = withoutReported(sent.rounded, [...known, ...others])

    const details = [...known, ...others, ...rounded]
    const isComplete = errors.length < maxErrorsOfLoop
    return invalidRequest(truncateDetails(details, knownNames), details.length, isComplete)
  }
}

/** Returns the details of places that were not reported yet. */
function withoutReported(
  details: readonly Detail[],
  reported: readonly Detail[],
): readonly Detail[] {
  const paths = new Set(reported.map(({ path }) => path))
  return details.filter(({ path }) => !paths.has(path))
}
