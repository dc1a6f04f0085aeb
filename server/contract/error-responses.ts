import { kindOf } from '../description/content-kind.ts'
import type { Description, MediaType, Response } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { fillBody } from '../description/error-filling.ts'
import { countForms, readShape } from '../description/error-shape.ts'
import { toObject } from '../description/json.ts'
import { findMediaType, isRange, json, jsonTypesOf } from '../description/media-types.ts'
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

/** A body that an error may have, and where it comes from. */
interface ErrorBody {
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

  /**
   * Returns the first form of an error that the description allows: its usual body, then that with headers that fit,
   * then other bodies with these. Returns the usual body if it allows none.
   */
  prepare(response: ErrorResponse, context: ErrorContext): PreparedError {
    const { status, error } = response
    const { documents } = this.#description
    const declared = this.#declaredFor(response, context)
    const content = declared && chooseContent(declared.content, this.#format.mediaType)
    const facts = { ...error, status, requestId: context.requestId }
    const headers = mergeHeaders(context.headers, response.headers)
    const { usual, failure } = this.#usualBody(declared, content, facts)

    if (usual === undefined) {
      return emptyError(status, headers, failure)
    }

    const prepareBody = ({ source, ...body }: ErrorBody, sentHeaders: ResponseHeaders) => {
      const sentResponse = { status, ...body }
      const violations = this.#validate(sentResponse, sentHeaders, response, context)
      return { response: sentResponse, headers: sentHeaders, violations, source, failure }
    }

    const asIs = prepareBody(usual, headers)
    if (asIs.violations.length === 0) {
      return asIs
    }

    const fittedHeaders = fitHeaders(declared, headers, documents, facts)
    const otherBodies = content === undefined ? [] : this.#otherBodies(content, facts)
    for (const body of [usual, ...otherBodies]) {
      const fitted = prepareBody(body, fittedHeaders)
      if (fitted.violations.length === 0) {
        return { ...fitted, rejected: asIs }
      }
    }
    return asIs
  }

  /** Returns a response whose headers fit the description as far as they can. */
  fit(
    response: AnyResponse,
    headers: ResponseHeaders,
    { operation }: Pick<ErrorContext, 'operation'>,
  ): SentError & Pick<PreparedError, 'violations'> {
    const declared = findResponse(responsesOf(this.#description, operation), response.status)
    const fitted = fitHeaders(declared, headers, this.#description.documents)
    const violations = this.validator.validate(operation, response, fitted)
    return { response, headers: fitted, violations }
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

  /**
   * Returns the body that an error has where the description allows it. Where the format of the API has thrown, it is
   * another one, if there is any.
   */
  #usualBody(
    declared: Response | undefined,
    content: MediaType | undefined,
    facts: ErrorFacts,
  ): { readonly usual: ErrorBody | undefined; readonly failure?: unknown } {
    if (declared !== undefined && declared.content.length === 0) {
      return { usual: { source: 'format' } }
    }
    if (declared !== undefined && content === undefined) {
      return { usual: textBody(declared.content, facts) }
    }

    const mediaType = this.#mediaTypeOf(content)
    try {
      return { usual: { source: 'format', mediaType, body: this.#format.toBody(facts) } }
    } catch (failure) {
      const [first] = content === undefined ? [] : this.#otherBodies(content, facts)
      return { usual: first, failure }
    }
  }

  /** Returns the other bodies that an error may have in a declared media type, the best first. */
  #otherBodies(content: MediaType, facts: ErrorFacts): readonly ErrorBody[] {
    const mediaType = this.#mediaTypeOf(content)
    const ofSchema = this.#fillerOf(content)(facts)
    const examples = examplesIn(content, this.#description.documents)
    return [
      ...ofSchema.map((body) => ({ source: 'schema', mediaType, body }) as const),
      ...examples.map((body) => ({ source: 'example', mediaType, body }) as const),
    ]
  }

  /** Returns the media type to send for declared content, which may be a range; that of the format without any. */
  #mediaTypeOf(content: MediaType | undefined): string {
    const usual = this.#format.mediaType
    if (content === undefined) {
      return usual
    }
    if (!isRange(content.name)) {
      return content.name
    }
    return findMediaType([content.name], usual) === undefined ? json : usual
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

/** Returns the body of an error that is not JSON: text, or nothing. */
function textBody(content: readonly MediaType[], { message }: ErrorFacts): ErrorBody {
  const text = content.find(({ name }) => kindOf(name) === 'text' && /^text\/(?!xml)/.test(name))
  if (text === undefined) {
    return { source: 'none' }
  }
  const body = text.name.startsWith('text/html') ? escapeHtml(message) : message
  return { source: 'format', mediaType: text.name.replace('*', 'plain'), body }
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
