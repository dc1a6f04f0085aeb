import { type Contract, describedOperation } from '../contract/contract.ts'
import { ApiError } from '../contract/errors.ts'
import type { CallableHandler } from '../contract/handler.ts'
import type { HeaderValue } from '../contract/header-value.ts'
import { preferHeaders, type ResponseHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import type { RequestValues } from '../contract/parameters.ts'
import type { Description } from '../description/description.ts'
import { isObject } from '../description/json.ts'
import type { Pagination } from '../description/pagination.ts'
import {
  identifyResource,
  impliedHeaders,
  linkToNextPage,
  namePath,
  selectItems,
} from './consistency.ts'
import { toLastPages } from './last-page.ts'
import {
  choose,
  type DeclaredResponse,
  declaredResponses,
  printPreferences,
  readPreferences,
} from './preferences.ts'
import { ContentSamples, toBody } from './sample-content.ts'
import {
  createFindSample,
  examplesOf,
  type FindSample,
  isOfService,
  isSampled,
  type Sample,
} from './samples.ts'

/**
 * Returns handlers that respond with the examples of the description, or else with samples of its
 * schemas, which agree with the request as far as they can. `Prefer: code=…` and `Prefer: example=…`
 * choose, as they do in other mock servers; an example that is chosen is sent unchanged.
 */
export function createMock({ description, operations }: Contract): Record<string, CallableHandler> {
  const findSample = createFindSample(description)
  const samples = new ContentSamples(description.documents, findSample)

  const createHandler = (operation: Operation): CallableHandler =>
    function respond(values, { prefer, hrefWith, acceptedMediaType }) {
      const preferences = readPreferences(prefer)
      const responses = declaredResponses(description, operation, acceptedMediaType)
      const response = choose(responses, operation, preferences)
      const { status, content, mediaType } = response
      rejectUndescribed(response, operation)

      const what = `${operation.operationId} has no handler, and no sample of its ${status} keeps the contract:`
      const find: FindSample = (name, holder, example) =>
        findSample(`${what} ${name}`, holder, example)
      const example = preferences.get('example')
      const sample =
        content && samples.find({ what: `${what} body`, media: content, mediaType, example })
      const isUnchanged = sample === undefined || example !== undefined
      const body = isUnchanged
        ? sample?.value
        : adaptBody(sample, description, operation, status, values)

      const { pagination } = describedOperation(description, operation)
      const toNextPage = linkChange(pagination, status, values.query, hrefWith)
      const headers = readHeaders(response, body, find, toNextPage)
      const applied = printPreferences(preferences)
      if (applied !== '') {
        headers[preferHeaders.response] = applied
      }

      if (content === undefined) {
        return { status, headers }
      }
      return { status, headers, mediaType, body: toBody(body, mediaType) }
    }

  const servedOperations = Object.values(operations).filter(
    ({ unserved }) => unserved === undefined,
  )
  return Object.fromEntries(servedOperations.map((each) => [each.operationId, createHandler(each)]))
}

/** Throws a chosen 501 whose content is not described: that of an operation without a handler. */
function rejectUndescribed(
  { status, content, examples }: DeclaredResponse,
  { operationId }: Operation,
): void {
  if (status === 501 && content?.schema === undefined && examples.size === 0) {
    throw new ApiError({ status: 501, code: 'not_implemented' }, `${operationId} has no handler.`)
  }
}

/** Returns the body of a sample, changed to agree with the request where that is valid. */
function adaptBody(
  sample: Sample,
  description: Description,
  operation: Operation,
  status: number,
  { path, query }: RequestValues,
): unknown {
  const { value } = sample

  if (status < 300) {
    const body = identifyResource(selectItems(value, query), operation.path, path)
    const { pagination } = describedOperation(description, operation)
    const wanted = pagination === undefined ? [body] : toLastPages(body, pagination, query)
    return wanted.find(sample.isValid) ?? validOr(sample, body)
  }

  if (status === 404) {
    return validOr(sample, namePath(value, pathParameters(description, operation), path))
  }

  return value
}

/** Returns the path parameters of an operation, with their examples. */
function pathParameters(description: Description, operation: Operation) {
  const { parameters } = describedOperation(description, operation)
  const inPath = parameters.filter(({ location }) => location === 'path')
  return inPath.map((parameter) => {
    const examples = examplesOf(parameter, description.documents)
    return { name: parameter.name, examples: [...examples.values()] }
  })
}

/** Changes the example of a link to the next page into one that follows the query of the request. */
type LinkChange = (example: string) => string

/** Returns the change of the link to the next page; undefined for responses without that link. */
function linkChange(
  pagination: Pagination | undefined,
  status: number,
  query: RequestValues['query'],
  hrefWith: Parameters<CallableHandler>[1]['hrefWith'],
): LinkChange | undefined {
  // An example of a link leads to a second page and no further, so that pagination ends.
  const cursor = pagination?.style === 'link' ? pagination.cursorParam : undefined
  if (status >= 300 || cursor === undefined || Object.hasOwn(query, cursor)) {
    return undefined
  }

  return (example) => linkToNextPage(example, cursor, query, hrefWith)
}

/** Returns the headers of a response that its body implies, and the others that are required. */
function readHeaders(
  { status, headers: declared }: DeclaredResponse,
  body: unknown,
  find: FindSample,
  toNextPage: LinkChange | undefined,
): ResponseHeaders {
  const implied = status < 400 ? {} : impliedHeaders(status, body)
  const headers: ResponseHeaders = {}

  for (const header of declared) {
    const { name } = header
    const changeLink = name === 'Link' ? toNextPage : undefined
    // Other optional headers report something that has not happened here.
    const isSent = isSampled(header) || (changeLink !== undefined && !isOfService(name))
    if (!isSent && implied[name] === undefined) {
      continue
    }

    const [media] = header.content
    const sample = find(`header ${name}`, media ?? header)
    const wanted = changeLink === undefined ? implied[name] : changeLink(String(sample.value))
    headers[name] = toFieldValue(validOr(sample, wanted))
  }

  return headers
}

/** Returns a value if there is one and it is valid, else that of the sample. */
function validOr({ value, isValid }: Sample, wanted: unknown): unknown {
  return wanted !== undefined && isValid(wanted) ? wanted : value
}

function toFieldValue(value: unknown): HeaderValue {
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain || Array.isArray(value) || isObject(value) ? value : String(value)
}
