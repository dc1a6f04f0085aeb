import type { ErrorObject } from 'ajv/dist/2020.js'
import { hasItems } from '../description/content-kind.ts'
import type { Description, Header, Response } from '../description/description.ts'
import { isJsonType, isRange, json } from '../description/media-types.ts'
import type { RequestSettings } from '../description/settings.ts'
import { itemSchemaOf, type StreamItems, streamItemsOf } from '../description/stream-items.ts'
import { type CompileSchema, createCompiler, type Validate } from './ajv.ts'
import { isStreamed } from './content.ts'
import { findResponse, responsesOf } from './contract.ts'
import { toDetails } from './details.ts'
import type { AnyResponse } from './handler-response.ts'
import type { HeaderForm } from './header-value.ts'
import type { ResponseHeaders } from './headers.ts'
import { findContent, responseSchema } from './message-schemas.ts'
import type { Operation } from './operation.ts'
import { hasAnyBytes, octetStream, usualTypesOf } from './sent-types.ts'

/** The items of a stream, and the functions that find where one violates the description. */
export interface ItemValidation {
  readonly items: StreamItems
  readonly errorsOf: (item: unknown) => readonly ErrorObject[]
  readonly findViolations: (item: unknown) => readonly string[]
}

/** A response that is declared, with what is needed to send one. */
interface DeclaredResponse {
  readonly response: Response
  /** The media types that its content may have if its sender states none. */
  readonly mediaTypes: readonly string[]
  /** Whether its content may be any bytes. */
  readonly hasAnyBytes: boolean
  /** How its headers are written that have not the usual form, by name, if there are some. */
  readonly headerForms: ReadonlyMap<string, HeaderForm> | undefined
  /** The compiled schemas, by media type. */
  readonly validators: Map<string, Validate>
  /** The same for the items of streams. */
  readonly items: Map<string, ItemValidation | undefined>
}

/** Validates responses against a description; schemas are compiled when they are needed first. */
export class ResponseValidator {
  readonly #description: Description
  readonly #compile: CompileSchema
  /** By operation, and by status. */
  readonly #declared = new Map<Operation | undefined, Map<number, DeclaredResponse | undefined>>()
  /** By the text of the schema: operations share most of their responses. */
  readonly #compiled = new Map<string, Validate>()

  constructor(description: Description, settings: Pick<RequestSettings, 'largeIntegers'> = {}) {
    this.#description = description
    this.#compile = createCompiler(description.documents, 'response', settings)
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
    const violation = isJsonType(mediaType) ? undefined : findWrongContent(response, mediaType)
    if (violation !== undefined) {
      return [violation]
    }

    let validator = declared.validators.get(mediaType)
    if (validator === undefined) {
      validator = this.#validatorOf(declared.response, mediaType)
      declared.validators.set(mediaType, validator)
    }
    return toViolations(errorsOf(validator, response, headers))
  }

  /** Returns the media types that a body may have whose sender states none, the usual one first. */
  mediaTypesOf(operation: Operation | undefined, { status, body }: AnyResponse): readonly string[] {
    const declared = this.#find(operation, status)
    if (declared?.hasAnyBytes === true && isBytes(body)) {
      return [octetStream]
    }
    return declared?.mediaTypes ?? []
  }

  /** Returns whether the media type of a response depends on what its client accepts (RFC 9110, section 12.5.5). */
  isNegotiated(operation: Operation | undefined, { status, body }: AnyResponse): boolean {
    const content = this.#find(operation, status)?.response.content ?? []
    return body !== undefined && content.length > 1
  }

  /** Returns what the items of a response are that is a stream of them; undefined for others. */
  itemsOf(
    operation: Operation | undefined,
    status: number,
    mediaType: string,
  ): ItemValidation | undefined {
    const declared = this.#find(operation, status)
    return declared?.items.getOrInsertComputed(mediaType, () =>
      this.validateItems(declared.response, mediaType),
    )
  }

  /** Returns what the items of a declared response are that is a stream of them; undefined for others. */
  validateItems({ content }: Response, mediaType: string): ItemValidation | undefined {
    const { documents } = this.#description
    const media = findContent(content, mediaType)
    const items = media && streamItemsOf({ ...media, name: mediaType }, documents)
    if (items === undefined) {
      return undefined
    }

    const properties = { item: { allOf: [itemSchemaOf(items, documents)] } }
    const validate = this.#compile({ type: 'object', properties, required: ['item'] })
    const errorsOf = (item: unknown) => (validate({ item }) ? [] : (validate.errors ?? []))
    return { items, errorsOf, findViolations: (item) => toViolations(errorsOf(item)) }
  }

  /** Returns how the headers of a response are written that have not the usual form, by name. */
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
    const byStatus = this.#declared.getOrInsertComputed(operation, () => new Map())
    const declaredBefore = byStatus.get(status)
    if (declaredBefore !== undefined) {
      return declaredBefore
    }

    const response = findResponse(responsesOf(this.#description, operation), status)
    const declared = response && toDeclared(response)
    byStatus.set(status, declared)
    return declared
  }

  #validatorOf(declared: Response, mediaType: string): Validate {
    const schema = responseSchema(declared, mediaType, this.#description.documents)
    const text = JSON.stringify(schema)
    return this.#compiled.getOrInsertComputed(text, () => this.#compile(schema))
  }
}

function toViolations(errors: Parameters<typeof toDetails>[0]): readonly string[] {
  return toDetails(errors).map(({ path, message }) => `${path} ${message}`)
}

function toDeclared(response: Response): DeclaredResponse {
  const forms = response.headers.map((header) => [header.name, toForm(header)] as const)
  const unusual = forms.filter(([, { explode, isJson }]) => explode || isJson)
  return {
    response,
    mediaTypes: usualTypesOf(response.content),
    hasAnyBytes: hasAnyBytes(response.content),
    headerForms: unusual.length === 0 ? undefined : new Map(unusual),
    validators: new Map(),
    items: new Map(),
  }
}

function toForm({ form, content }: Header): HeaderForm {
  return { explode: form.explode, isJson: content.some(({ name }) => isJsonType(name)) }
}

/** Returns the media type of a response whose sender does not state one. */
export function usualMediaType(declared: Response): string {
  const [first = json] = usualTypesOf(declared.content)
  return first
}

/** Returns what is wrong with content that is not JSON, apart from its schema; undefined if nothing is. */
function findWrongContent({ body }: AnyResponse, mediaType: string): string | undefined {
  if (body === undefined) {
    return undefined
  }
  if (isRange(mediaType)) {
    return `/headers/content-type must be stated: ${mediaType} is a range`
  }
  if (hasItems(mediaType)) {
    return isStreamed(body) ? undefined : '/body must be an AsyncIterable of items'
  }
  const isContent = typeof body === 'string' || isBytes(body)
  return isContent ? undefined : '/body must be a text, bytes, or an AsyncIterable of them'
}

/** Returns whether a body is bytes, or has parts that become available one after the other. */
function isBytes(body: unknown): boolean {
  return body instanceof Uint8Array || isStreamed(body)
}

function errorsOf(
  validator: Validate,
  { body, mediaType = json }: AnyResponse,
  headers: ResponseHeaders,
): readonly ErrorObject[] {
  const hasValue = typeof body === 'string' || isJsonType(mediaType)
  const content = {
    mediaType: body === undefined ? undefined : mediaType,
    body: hasValue ? body : undefined,
  }
  return validator({ headers, ...content }) ? [] : (validator.errors ?? [])
}
