import type { ErrorObject } from 'ajv/dist/2020.js'
import { type ContentKind, isOfItems, kindOf } from '../description/content-kind.ts'
import type { Description, Header, MediaType, Response } from '../description/description.ts'
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
import { hasAnyBytes, isAnyBytes, octetStream, sentKindOf, usualTypesOf } from './sent-types.ts'

/** The items of a stream, and the functions that find where one violates the description. */
export interface ItemValidation {
  readonly items: StreamItems
  readonly findErrors: (item: unknown) => readonly ErrorObject[]
  readonly findViolations: (item: unknown) => readonly string[]
}

/** How a response is sent, beside its values. */
export interface Sending {
  /** Whether its media type depends on what its client accepts (RFC 9110, section 12.5.5). */
  readonly isNegotiated: boolean
  /** How its headers are written that have not the usual form, by name, if there are some. */
  readonly headerForms: ReadonlyMap<string, HeaderForm> | undefined
  /** The kind of its content, unless that is bytes or a stream. */
  readonly kind: ContentKind
}

/** A response that is declared, with what is needed to send one. */
interface DeclaredResponse extends Pick<Sending, 'headerForms'> {
  readonly response: Response
  /** The media types that its content may have if its sender states none. */
  readonly mediaTypes: readonly string[]
  /** Whether its content may be any bytes. */
  readonly hasAnyBytes: boolean
  /** Its content, by media type. */
  readonly contents: Map<string, SentContent>
}

/** Content of a response, in a media type that is declared or belongs to a range. */
interface SentContent {
  readonly kind: ContentKind
  /** Whether it may be bytes instead, whatever its media type is. */
  readonly isAnyBytes: boolean
  readonly matchesSchema: Validate
  /** Of a stream of items. */
  readonly items: ItemValidation | undefined
}

/** Validates responses against a description; schemas are compiled when they are needed first. */
export class ResponseValidator {
  readonly #description: Description
  readonly #compile: CompileSchema
  /** By operation, and by status. */
  readonly #declared = new Map<Operation | undefined, Map<number, DeclaredResponse>>()
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
    const content = this.#contentOf(declared, mediaType)
    const violation = findWrongContent(response, mediaType, content)
    if (violation !== undefined) {
      return [violation]
    }
    return toViolations(findSchemaErrors(content.matchesSchema, response, headers))
  }

  /** Returns the media types that a body may have whose sender states none, the usual one first. */
  mediaTypesOf(operation: Operation | undefined, { status, body }: AnyResponse): readonly string[] {
    const declared = this.#find(operation, status)
    if (declared?.hasAnyBytes === true && isBytes(body)) {
      return [octetStream]
    }
    return declared?.mediaTypes ?? []
  }

  /** Returns how a response is sent. */
  sendingOf(
    operation: Operation | undefined,
    { status, body, mediaType = json }: AnyResponse,
  ): Sending {
    const declared = this.#find(operation, status)
    if (declared === undefined) {
      return { isNegotiated: false, headerForms: undefined, kind: kindOf(mediaType) }
    }
    const { response, headerForms } = declared
    const isNegotiated = body !== undefined && response.content.length > 1
    return { isNegotiated, headerForms, kind: this.#contentOf(declared, mediaType).kind }
  }

  /** Returns what the items of a response are that is a stream of them; undefined for others. */
  itemsOf(
    operation: Operation | undefined,
    status: number,
    mediaType: string,
  ): ItemValidation | undefined {
    const declared = this.#find(operation, status)
    return declared && this.#contentOf(declared, mediaType).items
  }

  /** Returns what the items of a declared response are that is a stream of them; undefined for others. */
  validateItems({ content }: Response, mediaType: string): ItemValidation | undefined {
    const { documents } = this.#description
    const media = findContent(content, mediaType)
    const isStream = isOfItems(sentKindOf(media, mediaType))
    const items =
      media && isStream ? streamItemsOf({ ...media, name: mediaType }, documents) : undefined
    if (items === undefined) {
      return undefined
    }

    const properties = { item: { allOf: [itemSchemaOf(items, documents)] } }
    const matches = this.#compile({ type: 'object', properties, required: ['item'] })
    const findErrors = (item: unknown) => (matches({ item }) ? [] : (matches.errors ?? []))
    return { items, findErrors, findViolations: (item) => toViolations(findErrors(item)) }
  }

  /** Returns the errors of a response that should be as one that is declared. */
  findErrors(
    declared: Response,
    response: AnyResponse,
    headers: ResponseHeaders,
  ): readonly ErrorObject[] {
    const { mediaType = usualMediaType(declared) } = response
    const media = findContent(declared.content, mediaType)
    const matchesSchema = this.#compileSchema(declared, media, sentKindOf(media, mediaType))
    return findSchemaErrors(matchesSchema, { ...response, mediaType }, headers)
  }

  #find(operation: Operation | undefined, status: number): DeclaredResponse | undefined {
    // Every response is looked up several times: `getOrInsertComputed` takes V8 three times as long as `get`.
    return this.#declared.get(operation)?.get(status) ?? this.#addDeclared(operation, status)
  }

  #addDeclared(operation: Operation | undefined, status: number): DeclaredResponse | undefined {
    const response = findResponse(responsesOf(this.#description, operation), status)
    if (response === undefined) {
      return undefined
    }
    const declared = toDeclared(response)
    this.#declared.getOrInsertComputed(operation, () => new Map()).set(status, declared)
    return declared
  }

  #contentOf({ response, mediaTypes, contents }: DeclaredResponse, mediaType: string): SentContent {
    const contentBefore = contents.get(mediaType)
    if (contentBefore !== undefined) {
      return contentBefore
    }

    const media = findContent(response.content, mediaType)
    const kind = sentKindOf(media, mediaType)
    const isUsual = media?.name === mediaType || mediaTypes.includes(mediaType)
    // By the declared name: any number of types belong to a range.
    const key = isUsual ? mediaType : `${media?.name} ${kind}`
    return contents.getOrInsertComputed(key, () => ({
      kind,
      isAnyBytes: media !== undefined && isAnyBytes(media),
      matchesSchema: this.#compileSchema(response, media, kind),
      items: this.validateItems(response, mediaType),
    }))
  }

  #compileSchema(declared: Response, media: MediaType | undefined, kind: ContentKind): Validate {
    const schema = responseSchema(declared, media, kind, this.#description.documents)
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
    contents: new Map(),
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

/** Returns what is wrong with content, apart from its schema; undefined if nothing is. */
function findWrongContent(
  { body }: AnyResponse,
  mediaType: string,
  { kind, isAnyBytes }: SentContent,
): string | undefined {
  if (body === undefined) {
    return undefined
  }
  if (kind === 'json') {
    const isValue = isAnyBytes || !isStreamed(body)
    return isValue ? undefined : '/body must be a JSON value, not an AsyncIterable'
  }
  if (isRange(mediaType)) {
    return `/headers/content-type must be stated: ${mediaType} is a range`
  }
  if (isOfItems(kind)) {
    return isStreamed(body) ? undefined : '/body must be an AsyncIterable of items'
  }
  const isContent = typeof body === 'string' || isBytes(body)
  return isContent ? undefined : '/body must be a text, bytes, or an AsyncIterable of them'
}

/** Returns whether a body is bytes, or has parts that become available one after the other. */
function isBytes(body: unknown): boolean {
  return body instanceof Uint8Array || isStreamed(body)
}

function findSchemaErrors(
  matchesSchema: Validate,
  { body, mediaType = json }: AnyResponse,
  headers: ResponseHeaders,
): readonly ErrorObject[] {
  const hasValue = typeof body === 'string' || isJsonType(mediaType)
  const content = {
    mediaType: body === undefined ? undefined : mediaType,
    body: hasValue ? body : undefined,
  }
  return matchesSchema({ headers, ...content }) ? [] : (matchesSchema.errors ?? [])
}
