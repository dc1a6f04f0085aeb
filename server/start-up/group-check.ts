import type { ErrorObject } from 'ajv/dist/2020.js'
import { toDetails } from '../contract/details.ts'
import type { ErrorResponses, SentError } from '../contract/error-responses.ts'
import { fitHeaders } from '../contract/fitted-headers.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import { mergeHeaders, type ResponseHeaders, serviceHeaders } from '../contract/headers.ts'
import { usualMediaType } from '../contract/response-validation.ts'
import { headerOf, placeOf } from '../contract/violation-place.ts'
import type { Documents } from '../description/documents.ts'
import type { DeclaredResponse, ResponseGroup } from './response-groups.ts'

/** A place of a description that does not allow what the service itself sends, or not in the format of errors. */
export interface OwnViolation {
  /** Whether the service sends the error as it is declared there: only its format is another one. */
  readonly isOfFormat: boolean
  /** Keys from the root of the description to the place, through references. */
  readonly keys: readonly string[]
  /** What is sent, such as `405 method_not_allowed`. */
  readonly sentResponse: string
  readonly problem: string
  /** The value of the header that the problem is about. */
  readonly value?: ResponseHeaders[string]
}

/** A response of a group with some of its headers, and how it is declared. */
interface Sample {
  readonly declared: DeclaredResponse
  readonly response: AnyResponse
  readonly headers: ResponseHeaders
}

/** A violation, with a text that it has in common with the same violation of other samples. */
interface FoundViolation {
  readonly signature: string
  readonly violation: OwnViolation
}

/** Checks whether a description allows the responses of a group. */
export class GroupCheck {
  readonly #group: ResponseGroup
  readonly #errors: ErrorResponses
  readonly #documents: Documents
  readonly #checkedStatuses = new Set<number>()
  /** The signatures of violations that were found: many responses share most of them. */
  readonly #signatures = new Set<string>()

  constructor(group: ResponseGroup, errors: ErrorResponses, documents: Documents) {
    this.#group = group
    this.#errors = errors
    this.#documents = documents
  }

  findViolations(): readonly OwnViolation[] {
    return this.#group.responses.flatMap((response) => this.#checkResponse(response))
  }

  #checkResponse(response: AnyResponse): readonly OwnViolation[] {
    const { keys, findDeclared, headers } = this.#group
    const { status } = response
    const declared = findDeclared(status)
    if (declared === undefined) {
      const problem = `the status ${status} is not declared`
      return [this.#toViolation(response, { keys, problem, isOfFormat: false })]
    }

    // The first response of each status is checked with all headers, the others with the usual ones.
    const variants = this.#checkedStatuses.has(status) ? headers.slice(0, 1) : headers
    this.#checkedStatuses.add(status)
    return variants
      .flatMap((variant) => this.#checkSample({ declared, response, headers: variant }))
      .filter(({ signature }) => this.#isNew(signature))
      .map(({ violation }) => violation)
  }

  #isNew(signature: string): boolean {
    const isNew = !this.#signatures.has(signature)
    this.#signatures.add(signature)
    return isNew
  }

  #checkSample(sample: Sample): readonly FoundViolation[] {
    const { declared, response, headers } = sample
    const { error } = response
    if (error === undefined) {
      const merged = mergeHeaders(headers, response.headers)
      const fittedHeaders = fitHeaders(declared.response, merged, this.#documents)
      return this.#violationsIn(sample, { response, headers: fittedHeaders }, false)
    }

    const { context, isOfHandler } = this.#group
    const requestId = String(headers['X-Request-Id'])
    const prepared = this.#errors.prepare(
      { ...response, error },
      { ...context, requestId, headers },
    )
    if (prepared.failure !== undefined) {
      return [this.#formatFailure(sample, prepared.failure)]
    }
    if (prepared.violations.length > 0) {
      return this.#violationsIn(sample, prepared, isOfHandler)
    }

    const { rejected, source } = prepared
    const ofFormat = rejected === undefined ? [] : this.#violationsIn(sample, rejected, true)
    return source === 'none' ? [this.#missingContent(sample), ...ofFormat] : ofFormat
  }

  /** Returns the violation of an error for which the format of errors has thrown. */
  #formatFailure({ declared, response }: Sample, failure: unknown): FoundViolation {
    const problem = `server/api/error-format.ts has failed with ${failure}`
    const { keys } = declared
    const violation = this.#toViolation(response, { keys, problem, isOfFormat: false })
    return { signature: problem, violation }
  }

  /** Returns the violation of an error that no declared media type has room for. */
  #missingContent({ declared, response }: Sample): FoundViolation {
    const problem = 'it has no JSON and no text, and the error is sent without content'
    const keys = [...declared.keys, 'content']
    const violation = this.#toViolation(response, { keys, problem, isOfFormat: true })
    return { signature: `${response.status} ${problem}`, violation }
  }

  /** Returns the violations of a response as it is sent; with `isOfFormat`, it is what the format of errors makes. */
  #violationsIn(
    { declared, response }: Sample,
    sent: SentError,
    isOfFormat: boolean,
  ): readonly FoundViolation[] {
    const { keys } = declared
    const { mediaType = usualMediaType(declared.response) } = sent.response
    const placed = { declared: declared.response, keys, mediaType }
    const { validator } = this.#errors
    const errors = validator.findErrors(declared.response, sent.response, sent.headers)

    return this.#withoutErrorsOfHandler(errors, response).map((error) => {
      const [detail] = toDetails([error])
      const header = headerOf(error)
      const violation = this.#toViolation(response, {
        keys: isOfFormat ? keys : placeOf(this.#documents, placed, error),
        problem: detail === undefined ? error.keyword : `${detail.path} ${detail.message}`,
        value: header === undefined ? undefined : sent.headers[header],
        isOfFormat,
      })
      return { signature: `${response.status} ${error.schemaPath} ${header}`, violation }
    })
  }

  /**
   * Returns the errors that the service is to blame for: in a response of a handler, those of the headers that it
   * adds, and those of the body of an error, to which it gives its format.
   */
  #withoutErrorsOfHandler(
    errors: readonly ErrorObject[],
    { status, error: handlerError }: AnyResponse,
  ): readonly ErrorObject[] {
    if (!this.#group.isOfHandler) {
      return errors
    }
    if (handlerError !== undefined) {
      return errors.filter((error) => headerOf(error) === undefined)
    }
    const ownHeaders = new Set([...serviceHeaders, ...this.#namesOfHeaders(status)])
    return errors.filter((error) => ownHeaders.has(headerOf(error) ?? ''))
  }

  /** Returns the names of the headers that the service itself sends with a status, at least sometimes. */
  #namesOfHeaders(status: number): string[] {
    const { responses, headers } = this.#group
    const ofStatus = responses.filter((response) => response.status === status)
    const headersOfStatus = ofStatus.map((response) => response.headers ?? {})
    return [...headers, ...headersOfStatus].flatMap((fields) => Object.keys(fields))
  }

  #toViolation(
    { status, error }: AnyResponse,
    violation: Omit<OwnViolation, 'sentResponse'>,
  ): OwnViolation {
    const statusAndCode = error === undefined ? `${status}` : `${status} ${error.code}`
    return { ...violation, sentResponse: `${statusAndCode} to ${this.#group.requests}` }
  }
}
