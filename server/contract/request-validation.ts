import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Request, RequestHandler } from 'express'
import type { Description } from '../description/description.ts'
import { findMediaType } from '../description/media-types.ts'
import { createCompiler, type Validate } from './ajv.ts'
import { maxErrorsOfLoop } from './bounded-errors.ts'
import type { Contract } from './contract.ts'
import { declaredNames } from './declared-names.ts'
import { toDetails, truncateDetails } from './details.ts'
import { type ApiError, type Detail, invalidRequest } from './errors.ts'
import { requestSchema } from './message-schemas.ts'
import { OpenApiValidator } from './open-api-validator.ts'
import type { Operation } from './operation.ts'
import { type RequestValues, readParameters, type SentParameters } from './parameters.ts'

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
export function createRequestValidation({ description, operations }: Contract) {
  const acceptRequest = createAccept(description)
  const explainRejection = createExplain(description, Object.values(operations))

  return function validationOf(operation: Operation): RequestHandler {
    return async function validateRequest(request, { locals }, next) {
      const decoded = decode(operation, request, locals)
      const errors = acceptRequest(decoded)
      if (errors !== true) {
        throw await explainRejection(decoded, errors)
      }

      locals.values = decoded.values
      next()
    }
  }
}

function decode(operation: Operation, request: Request, locals: Express.Locals): DecodedRequest {
  const sent = readParameters(operation, request, locals)
  const values: RequestValues = {
    path: sent.path.values,
    query: sent.query.values,
    headers: sent.headers.values,
    cookies: sent.cookies.values,
    mediaType: locals.mediaType,
    body: request.body,
  }
  return { operation, sent, values }
}

/**
 * Returns the function that accepts a request if its parameters are in the form of their types, and one
 * schema, which Ajv compiles for each operation and media type, fits its values.
 */
function createAccept(description: Description): Accept {
  const compile = createCompiler(description.documents, 'request')
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
    if (isValid && sent.details.length === 0) {
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

    const details = [...known, ...others]
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
