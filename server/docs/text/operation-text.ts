import { hasItems } from '../../description/content-kind.ts'
import type {
  Body,
  Description,
  Header,
  MediaType,
  Operation,
  Parameter,
  Response,
} from '../../description/description.ts'
import { readExamples } from '../../description/example-values.ts'
import { toObject } from '../../description/json.ts'
import type { Located } from '../../description/location.ts'
import { isJsonType } from '../../description/media-types.ts'
import { idOf } from '../../description/operations.ts'
import type { PaginationStyle } from '../../description/pagination.ts'
import { isUsuallyExploded, usualStyle } from '../../description/parameter-form.ts'
import { isPublic, type Security } from '../../description/security.ts'
import { streamItemsOf } from '../../description/stream-items.ts'
import { reasonUnserved } from '../../description/unserved.ts'
import { type CodeSamples, usualBaseUrl, withBaseUrl } from './code-samples.ts'
import { deprecationNotice } from './deprecation-notice.ts'
import {
  joinBlocks,
  joinWords,
  printTable,
  toBlock,
  toCode,
  toCodeBlock,
  toText,
} from './markdown.ts'
import { SchemaText } from './schema-text.ts'

/** How a client gets the next page, by the style of pagination. */
const nextPages: Readonly<Record<PaginationStyle, string>> = {
  link: 'the `Link` header of a page leads to the next one, with `rel="next"`',
  'body-link': 'the body of a page has the URL of the next one',
  cursor: 'the body of a page has the cursor of the next one',
  offset: 'a request says how many items are before its page',
  page: 'a request says the number of its page',
}

/** Prints the operations of a description. */
export class OperationText {
  readonly #description: Description
  readonly #schemas: SchemaText
  /** The names of the headers that every response has. */
  readonly #commonHeaders: ReadonlySet<string>
  readonly #samples: CodeSamples

  constructor(description: Description, samples: CodeSamples = {}) {
    this.#description = description
    this.#samples = samples
    this.#schemas = new SchemaText(description.documents)
    const responses = description.operations.flatMap((operation) => operation.responses)
    this.#commonHeaders = findCommonHeaders(responses)
  }

  /** Returns the section of an operation that the service serves. */
  sectionOf(operation: Operation): string {
    const { documents } = this.#description
    const reason = reasonUnserved(operation, documents)
    const notice = reason === undefined ? '' : `**The service does not serve it (501):** ${reason}.`
    return joinBlocks(
      `### ${headingOf(operation)}`,
      joinWords(toCode(operation.name), toText(operation.texts['summary'])),
      notice,
      deprecationNotice(operation.deprecation, linkToOperation),
      toText(operation.texts['description']),
      `Credentials: ${printSecurity(operation.security)}.`,
      printPages(operation),
      this.#sampleOf(operation),
      this.#message(operation, headingOf(operation)),
    )
  }

  /** Returns the sample of a call with curl; the empty text if there is none. */
  #sampleOf(operation: Operation): string {
    const samples = this.#samples[idOf(operation)] ?? []
    const sample = samples.find(({ lang }) => lang === 'curl')
    if (sample === undefined) {
      return ''
    }
    const { source } = withBaseUrl(sample, usualBaseUrl(this.#description))
    return toCodeBlock(source.trim(), 'sh')
  }

  /** Returns the section of a request that the API sends to its consumers. */
  webhookSectionOf(name: string, operation: Operation): string {
    return joinBlocks(
      `### ${name}`,
      joinWords(toCode(operation.method), toText(operation.texts['summary'])),
      deprecationNotice(operation.deprecation, linkToOperation),
      toText(operation.texts['description']),
      this.#message(operation, name),
    )
  }

  #message({ parameters, body, responses }: Operation, name: string): string {
    return joinBlocks(
      this.#parameters(parameters, name),
      body === undefined ? '' : this.#body(body, name),
      this.#responses(responses, name),
    )
  }

  #parameters(parameters: readonly Parameter[], name: string): string {
    const rows = parameters.map((parameter) => [
      toCode(parameter.name),
      parameter.location,
      this.#valueType(parameter),
      parameter.isRequired ? 'yes' : '',
      this.#valueText(parameter),
    ])
    const table = printTable(['parameter', 'in', 'type', 'required', 'description'], rows)
    return table === '' ? '' : `#### Parameters of ${name}\n\n${table}`
  }

  #valueType({ schema, content }: Parameter | Header): string {
    const [media] = content
    const type = this.#schemas.typeOf(schema ?? media?.schema)
    return media === undefined ? type : `${type} as ${toCode(media.name)}`
  }

  /** Returns what a parameter or a header means, and what its value must comply with. */
  #valueText(value: Parameter | Header): string {
    const { texts, deprecation, schema, examples } = value
    const [example] = readExamples(examples, this.#description.documents).values()
    return joinWords(
      deprecationNotice(deprecation, linkToOperation),
      toText(texts['description']),
      this.#schemas.constraintsOf(schema),
      'location' in value ? printForm(value) : '',
      example === undefined ? '' : `Example: ${toCode(JSON.stringify(example))}.`,
    )
  }

  #body({ isRequired, maxBytes, texts, content }: Body, name: string): string {
    const limit = maxBytes === undefined ? [] : [`at most ${maxBytes} bytes`]
    const facts = [isRequired ? 'required' : 'optional', ...limit].join(', ')
    return joinBlocks(
      `#### Request body of ${name}`,
      joinWords(toText(texts['description']), `(${facts})`),
      ...content.map((media) => this.#content(media)),
    )
  }

  #responses(responses: readonly Response[], name: string): string {
    const rows = responses.map(({ status, texts, headers, content }) => [
      toCode(status),
      toText(texts['description']),
      content.map((media) => this.#contentType(media)).join('; '),
      this.#ownHeaders(headers),
    ])
    const table = printTable(['status', 'meaning', 'content', 'own headers'], rows)

    const successes = responses.filter(({ isSuccess }) => isSuccess)
    const contents = successes.flatMap(({ status, content }) => {
      return content.map((media) => `Response ${toCode(status)}, ${this.#content(media)}`)
    })
    return joinBlocks(`#### Responses of ${name}`, table, ...contents)
  }

  #ownHeaders(headers: readonly Header[]): string {
    const ownHeaders = headers.filter(({ name }) => !this.#isCommon(name))
    const printed = ownHeaders.map(({ name, isRequired }) => {
      return isRequired ? toCode(name) : `${toCode(name)} (optional)`
    })
    return printed.join(', ')
  }

  #isCommon(headerName: string): boolean {
    return this.#commonHeaders.has(headerName.toLowerCase())
  }

  #contentType(media: MediaType): string {
    return `${toCode(media.name)}: ${this.#typeOf(media)}`
  }

  #typeOf(media: MediaType): string {
    const items = streamItemsOf(media, this.#description.documents)
    return items === undefined
      ? this.#schemas.typeOf(media.schema)
      : `stream of ${this.#schemas.typeOf(items.schema)}`
  }

  /** Returns a media type with its schema, its fields, and its first example or that of its schema. */
  #content(media: MediaType): string {
    const { documents } = this.#description
    const isJson = isJsonType(media.name)
    const form = isJson || hasItems(media.name) ? 'json' : 'text'
    const schema = streamItemsOf(media, documents)?.schema ?? media.schema
    const [ownExample] = readExamples(media.examples, documents, form).values()
    const example = ownExample ?? this.#schemas.exampleOf(schema)
    return joinBlocks(
      joinWords(this.#contentType(media), this.#schemas.constraintsOf(schema)),
      this.#isNamed(media) ? '' : this.#schemas.contentOf(schema, linkToOperation),
      printEncoding(media),
      example === undefined ? '' : toBlock(example, isJson || typeof example !== 'string'),
    )
  }

  /** Returns whether the type of content is the name of a schema, which is printed as code. */
  #isNamed({ schema, itemSchema }: MediaType): boolean {
    const type = this.#schemas.typeOf(itemSchema ?? schema)
    return type.startsWith('`')
  }

  /** Returns a table of the headers of responses, each once. */
  headersOf(responses: readonly Response[]): string {
    const allHeaders = responses.flatMap(({ headers }) => headers)
    // The last entry of a key counts in a map: reversed, it is the first header of a name.
    const entries = allHeaders.toReversed().map((header) => {
      return [header.name.toLowerCase(), header] as const
    })
    const headers = [...new Map(entries).values()].toReversed()

    const rows = headers.map((header) => [
      toCode(header.name),
      this.#isCommon(header.name) ? 'every response' : 'some',
      this.#valueType(header),
      this.#valueText(header),
    ])
    return printTable(['header', 'of', 'type', 'description'], rows)
  }

  /** Returns a table of what each error means, once for all operations. */
  errorsOf(responses: readonly Response[]): string {
    const errors = responses.filter(({ isSuccess }) => !isSuccess)
    const rows = errors.map(({ status, texts, content }) => {
      const bodies = content.map((media) => this.#contentType(media)).join('; ')
      return [toCode(status), toText(texts['description']), bodies]
    })
    const rowsByText = new Map(rows.map((row) => [row.join(' '), row]))
    const sortedEntries = [...rowsByText].toSorted(([one], [other]) => (one < other ? -1 : 1))
    const sortedRows = sortedEntries.map(([, row]) => row)
    return printTable(['status', 'meaning', 'content'], sortedRows)
  }

  /** Returns the section of a schema of the components. */
  schemaSectionOf(name: string, schema: Located): string {
    return joinBlocks(`### ${name}`, this.#schemas.sectionOf(schema, linkToOperation))
  }
}

/** Returns the names, in lower case, of the headers that each of some responses must have. */
function findCommonHeaders(responses: readonly Response[]): ReadonlySet<string> {
  const namesOfResponses = responses.map(({ headers }) => {
    const required = headers.filter(({ isRequired }) => isRequired)
    return new Set(required.map(({ name }) => name.toLowerCase()))
  })
  const [firstNames = new Set<string>(), ...otherNames] = namesOfResponses
  return otherNames.reduce((common, names) => common.intersection(names), firstNames)
}

/** Returns the heading of an operation: its name in code. */
export function headingOf(operation: Operation): string {
  return idOf(operation)
}

/** Returns the address of an operation in the text, as GitHub makes it from its heading. */
export function linkToOperation(operationId: string): string {
  const words = operationId.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return `#${words.trim().replaceAll(/\s/g, '-')}`
}

/** Returns the credentials that an operation needs, in words. */
export function printSecurity(security: Security): string {
  const alternatives = security.alternatives.filter((requirement) => requirement.size > 0)
  const printed = alternatives.map((requirement) => {
    const schemes = Array.from(requirement, ([name, scopes]) => {
      const list = scopes.map((scope) => toCode(scope)).join(', ')
      return list === '' ? toCode(name) : `${toCode(name)} with the scopes ${list}`
    })
    return schemes.join(' and ')
  })
  if (printed.length === 0) {
    return 'none'
  }

  const printedOrNone = isPublic(security) ? [...printed, 'none'] : printed
  return printedOrNone.join(', or ')
}

function printPages({ pagination }: Operation): string {
  if (pagination === undefined) {
    return ''
  }

  const { style, items, cursorParam, offsetParam, limitParam } = pagination
  const { nextCursor, nextLink, hasMore, total } = pagination
  const inRequest = { cursorParam, offsetParam, limitParam }
  const inResponse = { items, nextCursor, nextLink, hasMore, total }
  const entries = Object.entries({ ...inRequest, ...inResponse })
  const facts = entries.flatMap(([name, value]) => {
    return value === undefined || value === '' ? [] : [`${name} ${toCode(value)}`]
  })
  const list = facts.length === 0 ? '' : ` (${facts.join(', ')})`
  return `Pages: ${nextPages[style]}${list}.`
}

/** Returns how a value is written, where it is not as usual in its location. */
function printForm({ form, location }: Parameter): string {
  const { style, explode } = form
  const isUsual = style === usualStyle(location) && explode === isUsuallyExploded(style)
  return isUsual ? '' : `Written with style ${toCode(style)}, explode ${toCode(String(explode))}.`
}

function printEncoding({ encoding }: MediaType): string {
  const fields = Object.entries(toObject(encoding))
  const rows = fields.map(([name, value]) => [toCode(name), toCode(JSON.stringify(value))])
  return printTable(['field', 'encoding'], rows)
}
