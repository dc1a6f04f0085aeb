import type {
  Deprecation,
  Description,
  MediaType,
  Operation,
  Parameter,
  Response,
} from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { toList, toText } from '../../server/description/json.ts'
import { isJsonType } from '../../server/description/media-types.ts'
import { idOf } from '../../server/description/operations.ts'
import type { Pagination } from '../../server/description/pagination.ts'
import { valueSchemaOf } from '../../server/description/parameter-form.ts'
import { findKeyword } from '../../server/description/schemas.ts'
import { isPublic } from '../../server/description/security.ts'
import { servedOperations } from '../../server/description/unserved.ts'
import { readShape } from '../../server/description/value-shape.ts'
import { contentOf, contentRules, readAcceptedContent, readSuccessContent } from './call-content.ts'
import { readHeaderRows } from './call-headers.ts'
import { readParameters } from './call-parameters.ts'
import { readBody, uploadRules } from './call-uploads.ts'
import { type ClientExport, clientExports } from './client-exports.ts'
import { hasBearerKeysAlone, type SentCredentials, sentSecurity } from './sent-credentials.ts'

/** Returns how a client calls each operation, by operationId, without what it does not need. */
export function readCalls(description: Description) {
  const hasUsualSecurity = hasBearerKeysAlone(description)
  const table = servedOperations(description).map((operation) => {
    const security = hasUsualSecurity ? {} : { security: readSecurity(description, operation) }
    return [
      idOf(operation),
      { ...readCall(operation, description.documents), ...security },
    ] as const
  })
  return Object.fromEntries(table)
}

function readCall(operation: Operation, documents: Documents) {
  const { path, method, parameters, body, deprecation } = operation
  const replacement = deprecation.isDeprecated ? nameReplacement(deprecation) : undefined
  return {
    method: method.toLowerCase(),
    path,
    ...(parameters.some(({ location }) => location === 'query') && { query: true }),
    ...readParameters(parameters, documents, mayLinkToOthers(operation)),
    ...(body && readBody(operation, body, documents)),
    ...(isIdempotent(operation) && { idempotent: true }),
    ...readPages(operation, documents),
    ...(replacement !== undefined && { replacement }),
    ...readResponses(operation, documents),
    ...readHeaderRows(operation, documents),
    ...readOptionRules(operation),
    ...readErrors(operation, documents),
  }
}

/**
 * Returns whether requests to an operation may be repeated with one idempotency key. A key belongs to a caller:
 * a request without credentials has none, and the service ignores its key.
 */
function isIdempotent({ parameters, security }: Operation): boolean {
  const takesKey = parameters.some(
    ({ location, name }) => location === 'header' && /^idempotency-key$/i.test(name),
  )
  return takesKey && !isPublic(security)
}

/** Returns whether the links of a list may name other parameters than it has. */
function mayLinkToOthers({ pagination }: Operation): boolean {
  const isLinked = pagination?.style === 'link' || pagination?.style === 'body-link'
  return isLinked && pagination.cursorParam === undefined && pagination.offsetParam === undefined
}

/** Returns how a list leads from page to page. */
function readPages({ pagination, parameters }: Operation, documents: Documents) {
  if (pagination === undefined) {
    return {}
  }
  const { style, items, limitParam, nextCursor, nextLink, hasMore, total, totalPages } = pagination
  const name = pagination.cursorParam ?? pagination.offsetParam
  const isCounted = style === 'page' || style === 'offset'
  const counted = parameters.find((each) => each.location === 'query' && each.name === name)
  const start = isCounted ? startOf(pagination, counted, documents) : 0
  const next = nextCursor ?? nextLink
  const row = {
    style,
    ...(items !== '' && { items }),
    ...(name !== undefined && { parameter: name }),
    ...(start !== 0 && { start }),
    ...(isCounted && limitParam !== undefined && { limit: limitParam }),
    ...(next !== undefined && { next }),
    ...(hasMore !== undefined && { hasMore }),
    ...(total !== undefined && { total }),
    ...(totalPages !== undefined && { totalPages }),
    createList: hasLinkedCursor(pagination)
      ? clientExports.createLinkedList
      : clientExports.createAnyList,
  }
  return { pages: row }
}

/** Returns the offset or the number of the first page. */
function startOf(
  { style }: Pagination,
  parameter: Parameter | undefined,
  documents: Documents,
): number {
  const schema = parameter === undefined ? undefined : valueSchemaOf(parameter)
  const first = findKeyword(schema, 'default', documents)?.value
  const usual = style === 'page' ? 1 : 0
  return typeof first === 'number' ? first : usual
}

/** Returns whether a page is the list of its items, with a link that has the cursor of the next page. */
function hasLinkedCursor({ style, items, cursorParam, offsetParam, hasMore }: Pagination): boolean {
  const hasParameter = (cursorParam ?? offsetParam) !== undefined
  return style === 'link' && items === '' && hasParameter && hasMore === undefined
}

/** Returns what an operation requires, with the functions that send it. */
function readSecurity(description: Description, operation: Operation) {
  const combinations = sentSecurity(description, operation).map((schemes) => {
    const rows = Array.from(schemes, ([name, credentials]) => {
      const named = 'name' in credentials ? { name: credentials.name } : {}
      return [name, { ...named, send: senders[credentials.in] }] as const
    })
    return Object.fromEntries(rows)
  })
  const needNothing = combinations.every((schemes) => Object.keys(schemes).length === 0)
  return needNothing ? [] : combinations
}

/** The functions that send credentials, by where these are sent. */
const senders: Readonly<Record<SentCredentials['in'], ClientExport>> = {
  bearer: clientExports.sendBearer,
  basic: clientExports.sendBasic,
  header: clientExports.sendInHeader,
  query: clientExports.sendInQuery,
  cookie: clientExports.sendInCookie,
}

/** Returns the responses that are results without JSON: other content, none, other than 204, and redirects. */
function readResponses(operation: Operation, documents: Documents) {
  const empty = operation.responses
    .filter(({ status, isSuccess }) => isSuccess && /^2|default/.test(status) && status !== '204')
    .filter((response) => contentOf(operation, response).length === 0)
    .map(({ status }) => toStatus(status))
  const redirects = operation.responses.filter(isRedirect).map(({ status }) => toStatus(status))
  const content =
    readSuccessContent(operation, documents) ?? readAcceptedContent(operation, documents)
  if (empty.length === 0 && redirects.length === 0 && content === undefined) {
    return {}
  }
  return {
    responses: {
      ...(empty.length > 0 && { empty }),
      ...(redirects.length > 0 && { redirects }),
      ...(content ?? { read: clientExports.readDeclared }),
    },
  }
}

/** Returns the rules of the options that only some operations have. */
function readOptionRules(operation: Operation) {
  const hasCookies = operation.parameters.some(({ location }) => location === 'cookie')
  const rules = [
    ...(hasCookies ? [clientExports.cookieRules] : []),
    ...contentRules(operation),
    ...uploadRules(operation),
  ]
  return rules.length === 0 ? {} : { options: rules }
}

/** Returns whether a response is a redirect, whose location a caller may want; 304 is none. */
function isRedirect({ status }: Response): boolean {
  return status.startsWith('3') && status !== '304'
}

/** Returns how errors are read, if one has another content than an Error object. */
function readErrors({ responses }: Operation, documents: Documents) {
  const errors = responses.filter(({ status }) => /^[45]|default/.test(status))
  const contents = errors.flatMap(({ content }) => content)
  const areUsual = contents.every((content) => isErrorObject(content, documents))
  return areUsual ? {} : { readError: clientExports.readAnyError }
}

/** Returns whether content is an Error object as the platform has it: with a code, a message and details. */
function isErrorObject({ name, schema }: MediaType, documents: Documents): boolean {
  const { properties = {} } = readShape(schema, documents)
  const { code, message, errors, error } = properties
  const required = toList(findKeyword(schema, 'required', documents)?.value)
  const hasTexts = code?.type === 'string' && message?.type === 'string'
  const hasOthers = errors !== undefined || error !== undefined
  return isJsonType(name) && hasTexts && !hasOthers && required.includes('message')
}

/** Returns a status as a number; a range and `default` are texts. */
export function toStatus(status: string): number | string {
  return /^\d+$/.test(status) ? Number(status) : status
}

/** Returns what to use instead of a deprecated operation, in words. */
export function nameReplacement({ replacement }: Deprecation): string | undefined {
  const { operationId, description = operationId } = replacement
  return toText(description)
}
