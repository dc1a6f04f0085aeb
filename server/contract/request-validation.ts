import type { ErrorObject } from 'ajv/dist/2020.js'
import type { RequestHandler } from 'express'
import type { Description } from '../description/description.ts'
import { findMediaType } from '../description/media-types.ts'
import { requestSettingsOf } from '../description/settings.ts'
import { type CompileSchema, createCompiler, type Validate } from './ajv.ts'
import { createItemsReader } from './body-items.ts'
import { maxErrorsOfLoop } from './bounded-errors.ts'
import type { Contract } from './contract.ts'
import { declaredNames } from './declared-names.ts'
import { toDetails, truncateDetails, withoutReported } from './details.ts'
import { type ApiError, invalidRequest } from './errors.ts'
import { ExactIntegers } from './exact-integers.ts'
import { createFormReader, type FormValue, SentForm } from './form-values.ts'
import { fieldSchema, parameterSchema, requestSchema } from './message-schemas.ts'
import { OpenApiValidator } from './open-api-validator.ts'
import type { Operation } from './operation.ts'
import { createFits } from './parameter-fits.ts'
import type { ReadParameter } from './parameter-rows.ts'
import { createParameterReader, type RequestValues, type SentParameters } from './parameters.ts'

/** A request whose parameters are decoded and whose body is parsed. */
interface DecodedRequest {
  readonly operation: Operation
  readonly parameters: SentParameters
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
  const acceptOf = createAccept(description, compile)
  const explainRejection = createExplain(description, Object.values(operations))

  return function validationOf(operation: Operation): RequestHandler {
    const ofParameter = (parameter: ReadParameter) =>
      parameterSchema(description, operation, parameter)
    const readParameters = createParameterReader(
      operation,
      createFits(ofParameter, compile),
      requests,
    )
    const readForm = createBodyReader(description, operation, compile)
    const readItems = createItemsReader(description, operation, compile, knownNames)
    const acceptRequest = acceptOf(operation)
    const exactIntegers = new ExactIntegers(description, operation, knownNames)

    return async function validateRequest(request, { locals }, next) {
      const sentParameters = exactIntegers.withExact(readParameters(request, locals))
      locals.ignoredParameters = sentParameters.ignored

      const form = readForm(request.body, locals)
      const { body } = form ?? request
      const parameters = withViolations(sentParameters, form)
      const values = toValues(parameters, readItems(body, locals), locals)

      const decoded = { operation, parameters, values }
      const errors = acceptRequest(decoded)
      if (errors !== true) {
        throw await explainRejection(decoded, errors)
      }

      const exact = exactIntegers.findIn(parameters, values, form?.large ?? locals.largeIntegers)
      if (exact !== undefined) {
        locals.exactIntegers = exact
      }
      locals.values = values
      next()
    }
  }
}

function toValues(
  { path, query, headers, cookies }: SentParameters,
  body: unknown,
  { mediaType }: Express.Locals,
): RequestValues {
  return { path, query, headers, cookies, mediaType, body }
}

/** Returns the function that reads the forms of an operation; it returns undefined for other bodies. */
function createBodyReader(
  description: Description,
  operation: Operation,
  compile: CompileSchema,
): (body: unknown, context: Express.Locals) => FormValue | undefined {
  const mediaTypes = Object.keys(operation.requestBody?.forms ?? {})
  const ofTypes = mediaTypes.map((mediaType) => {
    const ofField = ({ name }: ReadParameter) =>
      fieldSchema(description, operation, mediaType, name)
    const fits = createFits(ofField, compile)
    return [mediaType, createFormReader(operation, mediaType, fits)] as const
  })
  const readers = new Map(ofTypes)
  return (body, { mediaType = '' }) => {
    return body instanceof SentForm ? readers.get(mediaType)?.(body) : undefined
  }
}

function withViolations(parameters: SentParameters, form: FormValue | undefined): SentParameters {
  if (form === undefined) {
    return parameters
  }
  const details = [...parameters.details, ...form.details]
  return { ...parameters, details, rounded: [...parameters.rounded, ...form.rounded] }
}

/**
 * Returns what creates the function that accepts a request to an operation if its parameters are in the form of their
 * types, and one schema, which Ajv compiles for each operation and media type, fits its values.
 */
function createAccept(description: Description, compile: CompileSchema) {
  /** The compiled schemas by operation and declared media type of the body. */
  const compiled = new Map<Operation, Map<string | undefined, Validate>>()

  return function acceptOf(operation: Operation): Accept {
    const ofOperation = compiled.getOrInsertComputed(operation, () => new Map())

    return function acceptRequest({ parameters, values }) {
      const declared = declaredTypeOf(operation, values.mediaType)
      const validate = ofOperation.getOrInsertComputed(declared, () => {
        return compile(requestSchema(description, operation, declared))
      })
      const isValid = validate(values)
      if (isValid && parameters.details.length === 0 && parameters.rounded.length === 0) {
        return true
      }
      return validate.errors ?? []
    }
  }
}

/**
 * Returns the media type that an operation declares for a body, of which there may be any number in a range. Without
 * a body, it does not matter which one it is.
 */
function declaredTypeOf(
  { requestBody }: Operation,
  mediaType: string | undefined,
): string | undefined {
  const { mediaTypes = [] } = requestBody ?? {}
  if (mediaType === undefined) {
    return mediaTypes[0]
  }
  // Most bodies have a type that is declared by its name.
  return mediaTypes.includes(mediaType) ? mediaType : findMediaType(mediaTypes, mediaType)
}

/**
 * Returns the function that explains why a request is rejected: by the form of its parameters, by the errors
 * of its schema, and by what express-openapi-validator finds in other parameters.
 */
function createExplain(description: Description, operations: readonly Operation[]): Explain {
  const openApiValidator = new OpenApiValidator(description, operations)
  const knownNames = declaredNames(description.documents.root.value)

  return async function explainRejection({ operation, parameters, values }, errors) {
    const ofForm = parameters.details
    const ofSchema = withoutReported(toDetails(errors), ofForm)
    const ownDetails = [...ofForm, ...ofSchema]
    const ofValidator = withoutReported(
      await openApiValidator.validate(operation, values),
      ownDetails,
    )

    const rounded = withoutReported(parameters.rounded, [...ownDetails, ...ofValidator])

    const details = [...ownDetails, ...ofValidator, ...rounded]
    const isComplete = errors.length < maxErrorsOfLoop
    return invalidRequest(truncateDetails(details, knownNames), details.length, isComplete)
  }
}
