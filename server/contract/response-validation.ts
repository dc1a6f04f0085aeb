import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Description, Response } from '../description/description.ts'
import { type CompileSchema, createCompiler, type Validate } from './ajv.ts'
import { findResponse, responsesOf } from './contract.ts'
import { toDetails } from './details.ts'
import type { AnyResponse } from './handler-response.ts'
import { json, type ResponseHeaders } from './headers.ts'
import { isJsonType } from './media-types.ts'
import { responseSchema } from './message-schemas.ts'
import type { Operation } from './operation.ts'

/** Validates responses against a description; schemas are compiled when they are needed first. */
export class ResponseValidator {
  readonly #description: Description
  readonly #compile: CompileSchema
  /** By operation, and by status and media type. */
  readonly #validators = new Map<Operation | undefined, Map<string, Validate>>()
  /** By the text of the schema: operations share most of their responses. */
  readonly #compiled = new Map<string, Validate>()

  constructor(description: Description) {
    this.#description = description
    this.#compile = createCompiler(description.documents, 'response')
  }

  /** Returns where a response of an operation, or to another request, violates the description. */
  validate(
    operation: Operation | undefined,
    response: AnyResponse,
    headers: ResponseHeaders,
  ): readonly string[] {
    const { status, mediaType = json } = response
    const ofOperation = this.#validators.getOrInsertComputed(operation, () => new Map())
    const key = `${status} ${mediaType}`
    let validator = ofOperation.get(key)
    if (validator === undefined) {
      const declared = findResponse(responsesOf(this.#description, operation), status)
      if (declared === undefined) {
        return [`status ${status} is not declared`]
      }

      validator = this.#validatorOf(declared, mediaType)
      ofOperation.set(key, validator)
    }
    const errors = errorsOf(validator, response, headers)
    return toDetails(errors).map(({ path, message }) => `${path} ${message}`)
  }

  /** Returns whether a header of a response is declared with `explode`. */
  isExploded(operation: Operation | undefined, status: number, name: string): boolean {
    const response = findResponse(responsesOf(this.#description, operation), status)
    const header = response?.headers.find((declared) => declared.name === name)
    return header?.form['explode'] === true
  }

  /** Returns the errors of a response that should be as one that is declared. */
  errorsOf(
    declared: Response,
    response: AnyResponse,
    headers: ResponseHeaders,
  ): readonly ErrorObject[] {
    const { mediaType = json } = response
    return errorsOf(this.#validatorOf(declared, mediaType), response, headers)
  }

  #validatorOf(declared: Response, mediaType: string): Validate {
    const schema = responseSchema(declared, mediaType)
    const text = JSON.stringify(schema)
    return this.#compiled.getOrInsertComputed(text, () => this.#compile(schema))
  }
}

function errorsOf(
  validator: Validate,
  { body, mediaType = json }: AnyResponse,
  headers: ResponseHeaders,
): readonly ErrorObject[] {
  const content = {
    mediaType: body === undefined ? undefined : mediaType,
    body: isJsonType(mediaType) ? body : undefined,
  }
  return validator({ headers, ...content }) ? [] : (validator.errors ?? [])
}
