import type { ErrorObject } from 'ajv/dist/2020.js'
import { kindOf } from '../description/content-kind.ts'
import type { Description, MediaType, Response } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { fillBody } from '../description/error-filling.ts'
import { countForms, readShape } from '../description/error-shape.ts'
import { toObject } from '../description/json.ts'
import { findMediaType, json, jsonTypesOf } from '../description/media-types.ts'
import { findResponse, responsesOf } from './contract.ts'
import { toDetails } from './details.ts'
import type { ErrorFacts, ErrorFormat } from './error-format.ts'
import { fitHeaders } from './fitted-headers.ts'
import type { AnyResponse, ErrorContent } from './handler-response.ts'
import { mergeHeaders, type ResponseHeaders } from './headers.ts'
import type { Operation } from './operation.ts'
import { ResponseValidator } from './response-validation.ts'

/** A response with an error, which has no body yet. */
export type ErrorResponse = AnyResponse & { readonly error: ErrorContent }

/** What an error responds to. */
export interface ErrorContext {
  readonly operation?: Operation | undefined
  readonly requestId: string
  /** Whether the description applies to the response. */
  readonly isApiRequest: boolean
  /** Header fields of every response to the request. */
  readonly headers: ResponseHeaders
}

/**
 * Where a body comes from: the format of the API, the schema or the example that the description declares
 * for the response, or nowhere.
 */
export type BodySource = 'format' | 'schema' | 'example' | 'none'

/** A response with its body and all its headers. */
export interface SentError {
  readonly response: AnyResponse
  readonly headers: ResponseHeaders
}

/** A response with an error as it can be sent. */
export interface PreparedError extends SentError {
  /** Where even this one violates the description. */
  readonly violations: readonly string[]
  readonly source: BodySource
  /** The response in the format of the API, where the description does not allow it. */
  readonly rejected?: SentError | undefined
  /** What the format of the API has thrown. */
  readonly failure?: unknown
}

/** A body that may fit, and where it comes from. */
interface Candidate {
  readonly source: BodySource
  readonly mediaType?: string
  readonly body?: unknown
}

/** Gives errors the format of the API, or that of the declared response where it is another one. */
export class ErrorResponses {
  readonly validator: ResponseValidator
  readonly #description: Description
  readonly #format: ErrorFormat
  readonly #fillers = new Map<MediaType, (error: ErrorFacts) => readonly unknown[]>()

  constructor(description: Description, format: ErrorFormat) {
    this.#description = description
    this.#format = format
    this.validator = new ResponseValidator(description)
  }

  /** Returns the first form of an error that the description allows; the first one if it allows none. */
  prepare(response: ErrorResponse, context: ErrorContext): PreparedError {
    const { status, error } = response
    const declared = this.#declaredFor(response, context)
    const facts = { ...error, status, requestId: context.requestId }
    const merged = mergeHeaders(context.headers, response.headers)
    const { documents } = this.#description
    let first: PreparedError | undefined
    let failure: unknown

    const candidates = this.#candidates(declared, facts, (thrown) => {
      failure = thrown
    })
    for (const { source, ...content } of candidates) {
      const candidate = { status, ...content }
      const headers = first === undefined ? merged : fitHeaders(declared, merged, documents, facts)
      const violations = this.#validate(candidate, headers, response, context)
      if (violations.length === 0) {
        return { response: candidate, headers, violations, source, rejected: first, failure }
      }
      first ??= { response: candidate, headers, violations, source, failure }
    }
    return first ?? emptyError(status, merged, failure)
  }

  /** Returns a response whose headers fit the description as far as they can. */
  fit(
    response: AnyResponse,
    headers: ResponseHeaders,
    { operation }: Pick<ErrorContext, 'operation'>,
  ): SentError & Pick<PreparedError, 'violations'> {
    const declared = findResponse(responsesOf(this.#description, operation), response.status)
    const { headers: fitted } = this.fitTo(declared, response, headers)
    const violations = this.validator.validate(operation, response, fitted)
    return { response, headers: fitted, violations }
  }

  /** Returns a response whose headers fit one that is declared as far as they can. */
  fitTo(
    declared: Response | undefined,
    response: AnyResponse,
    headers: ResponseHeaders,
  ): SentError {
    return { response, headers: fitHeaders(declared, headers, this.#description.documents) }
  }

  /** Returns the errors of a response to an error that should be as one that is declared. */
  errorsOf(declared: Response, { response, headers }: SentError): readonly ErrorObject[] {
    return this.validator.findErrors(declared, response, headers)
  }

  /** Returns the response that is declared for an error; undefined if none is, or if the description does not apply. */
  #declaredFor({ status, error }: ErrorResponse, context: ErrorContext): Response | undefined {
    if (error.code === 'bad_request_framing') {
      return this.#description.malformed
    }
    const { isApiRequest, operation } = context
    return isApiRequest
      ? findResponse(responsesOf(this.#description, operation), status)
      : undefined
  }

  #validate(
    response: AnyResponse,
    headers: ResponseHeaders,
    { error }: ErrorResponse,
    { operation, isApiRequest }: ErrorContext,
  ): readonly string[] {
    const { malformed } = this.#description
    if (error.code === 'bad_request_framing') {
      const errors = malformed && this.validator.findErrors(malformed, response, headers)
      return toDetails(errors).map(({ path, message }) => `${path} ${message}`)
    }
    return isApiRequest ? this.validator.validate(operation, response, headers) : []
  }

  /** Yields the bodies that an error may have, the best first. The first two differ in their headers, too. */
  *#candidates(
    declared: Response | undefined,
    facts: ErrorFacts,
    onFailure: (thrown: unknown) => void,
  ): Generator<Candidate> {
    const usual = this.#format.mediaType
    if (declared !== undefined && declared.content.length === 0) {
      yield { source: 'format' }
      yield { source: 'format' }
      return
    }

    const content = declared && chooseContent(declared.content, usual)
    if (declared !== undefined && content === undefined) {
      yield* otherContent(declared.content, facts)
      return
    }

    const mediaType = content === undefined ? usual : toMediaType(content.name, usual)
    try {
      const body = this.#format.toBody(facts)
      yield { source: 'format', mediaType, body }
      yield { source: 'format', mediaType, body }
    } catch (thrown) {
      onFailure(thrown)
    }

    if (content !== undefined) {
      for (const body of this.#fillerOf(content)(facts)) {
        yield { source: 'schema', mediaType, body }
      }
      for (const body of examplesIn(content, this.#description.documents)) {
        yield { source: 'example', mediaType, body }
      }
    }
  }

  /** Returns the function that fills in the schema of a media type, once for each of its forms. */
  #fillerOf(content: MediaType): (error: ErrorFacts) => readonly unknown[] {
    return this.#fillers.getOrInsertComputed(content, () => {
      const { documents } = this.#description
      const { schema = { ...content.at, value: true } } = content
      const [example] = examplesIn(content, documents)
      const forms = Math.min(countForms(schema, documents), maxForms)
      const shapes = Array.from({ length: forms }, (_, index) =>
        readShape(schema, documents, index),
      )
      return (error) => shapes.map((shape) => fillBody(shape, error, example))
    })
  }
}

/** Forms of a schema that are tried. */
const maxForms = 8

/** Returns the declared content of a JSON media type: that of the format, or else the first one. */
function chooseContent(content: readonly MediaType[], usual: string): MediaType | undefined {
  const names = content.map(({ name }) => name)
  const [ofJson] = jsonTypesOf(names)
  const chosen = findMediaType(names, usual) ?? (ofJson && findMediaType(names, ofJson))
  return content.find(({ name }) => name === chosen)
}

/** Returns the media type to send for a declared one, which may be a range. */
function toMediaType(name: string, usual: string): string {
  if (!name.includes('*')) {
    return name
  }
  return findMediaType([name], usual) === undefined ? json : usual
}

/** Yields the content of an error that is not JSON: text, or nothing. */
function* otherContent(
  content: readonly MediaType[],
  { message }: ErrorFacts,
): Generator<Candidate> {
  const text = content.find(({ name }) => kindOf(name) === 'text' && /^text\/(?!xml)/.test(name))
  if (text === undefined) {
    yield { source: 'none' }
    yield { source: 'none' }
    return
  }
  const body = text.name.startsWith('text/html') ? escapeHtml(message) : message
  const mediaType = text.name.replace('*', 'plain')
  yield { source: 'format', mediaType, body }
  yield { source: 'format', mediaType, body }
}

function escapeHtml(text: string): string {
  const withoutAmpersands = text.replaceAll('&', '&amp;')
  return withoutAmpersands.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Returns the examples of a media type. */
export function examplesIn(
  { examples }: Pick<MediaType, 'examples'>,
  documents: Documents,
): readonly unknown[] {
  const { example, examples: named } = examples
  const values = Object.values(toObject(named)).map((each) => documents.followValue(each)['value'])
  return [example, ...values].filter((value) => value !== undefined)
}

function emptyError(status: number, headers: ResponseHeaders, failure: unknown): PreparedError {
  const violations = ['the format of the API for errors has failed']
  return { response: { status }, headers, violations, source: 'none', failure }
}
