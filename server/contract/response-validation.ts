import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Description, Header, Response } from '../description/description.ts'
import { isJsonType, json, jsonTypesOf } from '../description/media-types.ts'
import { type CompileSchema, createCompiler, type Validate } from './ajv.ts'
import { findResponse, responsesOf } from './contract.ts'
import { toDetails } from './details.ts'
import type { AnyResponse } from './handler-response.ts'
import type { HeaderForm } from './header-value.ts'
import type { ResponseHeaders } from './headers.ts'
import { responseSchema } from './message-schemas.ts'
import type { Operation } from './operation.ts'

/** A response that is declared, with what is needed to send one. */
interface DeclaredResponse {
  readonly response: Response
  /** The media types of JSON that its content may have, or else its first media type. */
  readonly mediaTypes: readonly string[]
  /** How each of its headers is written, by its name. */
  readonly headerForms: ReadonlyMap<string, HeaderForm>
  /** The compiled schemas, by media type. */
  readonly validators: Map<string, Validate>
}

/** Validates responses against a description; schemas are compiled when they are needed first. */
export class ResponseValidator {
  readonly #description: Description
  readonly #compile: CompileSchema
  /** By operation, and by status. */
  readonly #declared = new Map<Operation | undefined, Map<number, DeclaredResponse | undefined>>()
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
    const declared = this.#find(operation, status)
    if (declared === undefined) {
      return [`status ${status} is not declared`]
    }

    let validator = declared.validators.get(mediaType)
    if (validator === undefined) {
      validator = this.#validatorOf(declared.response, mediaType)
      declared.validators.set(mediaType, validator)
    }
    const errors = errorsOf(validator, response, headers)
    return toDetails(errors).map(({ path, message }) => `${path} ${message}`)
  }

  /** Returns the media types that the content of a response may have, the usual one first. */
  mediaTypesOf(operation: Operation | undefined, status: number): readonly string[] {
    return this.#find(operation, status)?.mediaTypes ?? []
  }

  /** Returns how the headers of a response are written, by name. */
  headerFormsOf(
    operation: Operation | undefined,
    status: number,
  ): ReadonlyMap<string, HeaderForm> | undefined {
    return this.#find(operation, status)?.headerForms
  }

  /** Returns the errors of a response that should be as one that is declared. */
  errorsOf(
    declared: Response,
    response: AnyResponse,
    headers: ResponseHeaders,
  ): readonly ErrorObject[] {
    const { mediaType = usualMediaType(declared) } = response
    const validator = this.#validatorOf(declared, mediaType)
    return errorsOf(validator, { ...response, mediaType }, headers)
  }

  #find(operation: Operation | undefined, status: number): DeclaredResponse | undefined {
    const ofOperation = this.#declared.getOrInsertComputed(operation, () => new Map())
    const known = ofOperation.get(status)
    if (known !== undefined) {
      return known
    }

    const response = findResponse(responsesOf(this.#description, operation), status)
    const declared = response && toDeclared(response)
    ofOperation.set(status, declared)
    return declared
  }

  #validatorOf(declared: Response, mediaType: string): Validate {
    const schema = responseSchema(declared, mediaType)
    const text = JSON.stringify(schema)
    return this.#compiled.getOrInsertComputed(text, () => this.#compile(schema))
  }
}

function toDeclared(response: Response): DeclaredResponse {
  const forms = response.headers.map((header) => [header.name, toForm(header)] as const)
  return {
    response,
    mediaTypes: mediaTypesOf(response),
    headerForms: new Map(forms),
    validators: new Map(),
  }
}

function toForm({ form, content }: Header): HeaderForm {
  return { explode: form.explode, isJson: content.some(({ name }) => isJsonType(name)) }
}

/** Returns the media types of JSON that the content of a response may have, or else its first media type. */
function mediaTypesOf({ content }: Response): readonly string[] {
  const names = content.map(({ name }) => name)
  const ofJson = jsonTypesOf(names)
  return ofJson.length > 0 ? ofJson : names.slice(0, 1)
}

/** Returns the media type of a response whose sender does not state one. */
export function usualMediaType(declared: Response): string {
  const [first = json] = mediaTypesOf(declared)
  return first
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
