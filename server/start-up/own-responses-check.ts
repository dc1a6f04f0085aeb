import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { type Contract, describedOperation, findResponse } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { toDetails } from '../contract/details.ts'
import type { ErrorFormat } from '../contract/error-format.ts'
import { type ErrorContext, ErrorResponses, type SentError } from '../contract/error-responses.ts'
import { shorten } from '../contract/errors.ts'
import { type AnyResponse, respondError } from '../contract/handler-response.ts'
import {
  createSuccessorLink,
  deprecationHeaders,
  mergeHeaders,
  type ResponseHeaders,
  serviceHeaders,
} from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { usualMediaType } from '../contract/response-validation.ts'
import { headerOf, placeOf } from '../contract/violation-place.ts'
import type { Description, Response } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { readShape, type Shape } from '../description/error-shape.ts'
import { keysOfMethod } from '../description/operations.ts'
import { maxTargetLength } from '../http/framing.ts'
import type { AllTexts } from '../security/rejections.ts'
import {
  commonHeaders,
  framingResponses,
  headersOfSuccess,
  type OwnSetup,
  rateLimitHeaders,
  responsesTo,
  responsesToUndeclared,
} from './own-responses.ts'

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

/** Responses that are declared at one place, and what the service itself sends as one of them. */
interface Group {
  /** The keys to all of them, and to that of a status. */
  readonly keys: readonly string[]
  readonly keysOf: (status: number) => readonly string[]
  readonly declared: (status: number) => Response | undefined
  /** The requests that have these responses, such as `addBook`. */
  readonly of: string
  readonly responses: readonly AnyResponse[]
  /** The headers of each of these responses, first the usual ones, then others. */
  readonly headers: readonly ResponseHeaders[]
  /** Whether a handler adds a body and other headers. */
  readonly isOfHandler?: boolean
  readonly context: Pick<ErrorContext, 'operation' | 'isApiRequest'>
}

/** The files whose code adds headers, or decides whether a response is allowed. */
const decidingFiles = [
  '../contract/ajv-keywords.ts',
  '../contract/ajv.ts',
  '../contract/applied-schemas.ts',
  '../contract/chosen-form.ts',
  '../description/error-filling.ts',
  '../contract/error-format.ts',
  '../contract/error-responses.ts',
  '../description/error-roles.ts',
  '../description/error-shape.ts',
  '../contract/fitted-headers.ts',
  '../contract/headers.ts',
  '../description/media-types.ts',
  '../contract/message-schemas.ts',
  '../description/discriminators.ts',
  '../description/marked-requirements.ts',
  '../description/multiple-of.ts',
  '../description/nodes.ts',
  '../description/normalise.ts',
  '../description/pattern.ts',
  '../description/schemas.ts',
  '../contract/response-validation.ts',
  '../contract/schema-adapter.ts',
  '../contract/unevaluated.ts',
  'own-responses-check.ts',
]

/**
 * Has a file for each digest of what was checked and is allowed. The file lists the error responses that differ from
 * the format.
 */
const checkedFolder = new URL('../../node_modules/.cache/own-responses', import.meta.url)

/** What is checked before a service starts. */
export interface OwnResponses {
  readonly contract: Contract
  readonly errorFormat: ErrorFormat
  readonly texts: AllTexts
  readonly rateLimits: boolean
}

/**
 * Throws a `ContractError` if the service itself would send what its description does not allow. Returns a
 * line for each declared error response that differs from the format of the API, and is sent as declared.
 */
export function assertOwnResponses(checked: OwnResponses): readonly string[] {
  // To compile the schemas of all responses takes half as long as the start: it is done once.
  const resultFile = new URL(digestOf(checked), checkedFolder)
  if (existsSync(resultFile)) {
    return readFileSync(resultFile, 'utf8').split('\n').filter(Boolean)
  }

  const violations = findOwnViolations(checked)
  const toLine = (violation: OwnViolation) => {
    const { pointer } = checked.contract.description.documents.locate(violation.keys)
    return `generated/openapi.json${pointer}: ${explain(violation)}`
  }
  const rejected = violations.filter(({ isOfFormat }) => !isOfFormat)
  const differing = violations.filter(({ isOfFormat }) => isOfFormat).map(toLine)
  if (rejected.length === 0) {
    keepResult(resultFile, differing)
    return differing
  }
  const advice = 'Where this is written, with file and line, is printed by: npm run check'
  throw new ContractError([...rejected.map(toLine), advice].join('\n'))
}

/** Returns a digest of a description, of what the service itself sends, and of the code that compares them. */
function digestOf({ contract, errorFormat, ...setup }: OwnResponses): string {
  const { description, operations, basePath } = contract
  const document = description.documents.root.value
  const allOperations = Object.values(operations)
  const ownSetup = { ...setup, description }
  const undeclared = responsesToUndeclared(allOperations, ownSetup)
  const sentByService = [
    allOperations.map((operation) => responsesTo(operation, ownSetup)),
    undeclared,
    framingResponses(),
    commonHeaders(),
    setup.rateLimits ? rateLimitHeaders() : [],
  ]
  const format = [
    errorFormat.mediaType,
    String(errorFormat.toBody),
    undeclared.map((response) => bodyOf(response, errorFormat)),
  ]
  const code = decidingFiles.map((name) => {
    return readFileSync(new URL(name, import.meta.url), 'utf8')
  })
  return hash(
    'sha256',
    JSON.stringify([document, operations, basePath, sentByService, format, code]),
  )
}

function bodyOf({ status, error }: AnyResponse, { toBody }: ErrorFormat): unknown {
  try {
    return error && toBody({ ...error, status, requestId: '' })
  } catch (thrown) {
    return String(thrown)
  }
}

function keepResult(resultFile: URL, lines: readonly string[]): void {
  try {
    mkdirSync(checkedFolder, { recursive: true })
    writeFileSync(resultFile, lines.join('\n'))
  } catch {
    // In an image, the service cannot write there: every start checks.
  }
}

/** Returns the sentence about a violation. */
export function explain({ isOfFormat, sentResponse, problem, value }: OwnViolation): string {
  const valueNote = value === undefined ? '' : ` (it is ${shorten(JSON.stringify(value))})`
  if (isOfFormat) {
    const file = 'server/api/error-format.ts'
    return `${sentResponse} is sent as it is declared here, not in the format of ${file}: ${problem}${valueNote}.`
  }
  return `The service itself sends ${sentResponse}, which this does not allow: ${problem}${valueNote}.`
}

/** Returns the places of a description that do not allow what the service itself sends, each once. */
export function findOwnViolations(checked: OwnResponses): readonly OwnViolation[] {
  const { contract, errorFormat, ...setup } = checked
  const { description } = contract
  const errors = new ErrorResponses(description, errorFormat)
  const violations = groupsOf(contract, { ...setup, description }).flatMap((group) => {
    return checkGroup(description, errors, group)
  })

  // Operations share most of their responses. The first violation of a place is kept, and listed where the last one is.
  const byPlace = new Map<string, OwnViolation>()
  for (const violation of violations) {
    const { pointer } = description.documents.locate(violation.keys)
    const place = violation.isOfFormat ? pointer : `${pointer} ${violation.problem}`
    const firstOfPlace = byPlace.get(place) ?? violation
    byPlace.delete(place)
    byPlace.set(place, firstOfPlace)
  }
  return [...byPlace.values()]
}

function groupsOf(contract: Contract, setup: OwnSetup): readonly Group[] {
  const { description, operations } = contract
  const usual = commonHeaders()
  const headers = setup.rateLimits ? withRateLimits(usual) : usual
  const allOperations = Object.values(operations)
  const ofOperations = allOperations.flatMap((operation) => {
    return groupsOfOperation(contract, operation, headers, setup)
  })
  const ofUndeclared: Group = {
    of: 'requests that match no operation',
    keys: ['x-undeclared-operations'],
    keysOf: (status) => ['x-undeclared-operations', nameOf(description.undeclared, status)],
    declared: (status) => findResponse(description.undeclared, status),
    responses: responsesToUndeclared(allOperations, setup),
    headers,
    context: { isApiRequest: true },
  }
  return [...ofOperations, ofUndeclared, ...groupOfMalformed(description, usual)]
}

/**
 * Returns the group of responses that the service sends in place of the handler, and two groups of responses of the
 * handler, to which the service adds headers: those by status, and declared errors.
 */
function groupsOfOperation(
  contract: Contract,
  operation: Operation,
  headers: readonly ResponseHeaders[],
  setup: OwnSetup,
): readonly Group[] {
  const { description } = contract
  const { operationId, path, method } = operation
  const { responses } = describedOperation(description, operation)
  const keys = ['paths', path, ...keysOfMethod(method), 'responses']
  const [usualDeprecation, ...longDeprecations] = headersOfDeprecation(contract, operation)
  const shared = {
    of: operationId,
    keys,
    keysOf: (status: number) => [...keys, nameOf(responses, status)],
    declared: (status: number) => findResponse(responses, status),
    context: { operation, isApiRequest: true },
    headers: [
      ...headers.map((each) => ({ ...each, ...usualDeprecation })),
      ...longDeprecations.map((each) => ({ ...headers[0], ...each })),
    ],
  }

  const responsesOfService = responsesTo(operation, setup)
  const ofService: Group = { ...shared, responses: responsesOfService }
  if (operation.unserved !== undefined) {
    return [ofService]
  }

  const statusesOfService = new Set(responsesOfService.map(({ status }) => status))
  const statusesOfHandler = responses
    .map((response) => Number(response.status.replace(/xx$/i, '00')))
    .filter((status) => Number.isInteger(status) && !statusesOfService.has(status))
  const responsesOfHandler = statusesOfHandler.flatMap((status) => {
    return headersOfSuccess(operation, status).map((added) => ({ status, headers: added }))
  })
  const errorsOfHandler = responses
    .filter(({ isSuccess }) => !isSuccess)
    .map((response) => toHandlerError(response, description.documents))
    .filter(({ status }) => !statusesOfService.has(status))
  return [
    ofService,
    { ...shared, responses: responsesOfHandler, isOfHandler: true },
    { ...shared, responses: errorsOfHandler, isOfHandler: true },
  ]
}

/** Returns an error that a handler may respond with where a response is declared. */
function toHandlerError({ status, content }: Response, documents: Documents): AnyResponse {
  const codes = content.map(({ schema }) => schema && codeIn(readShape(schema, documents, 0)))
  const code = codes.find((each) => each !== undefined) ?? 'other'
  const exactStatus = status.replace(/xx$/i, '00').replace('default', '500')
  return respondError(Number(exactStatus), code, 'Message.')
}

/** Returns a code that the schema of an error lists, in the error or in its member `error`. */
function codeIn({ properties }: Shape): string | undefined {
  const { properties: nested } = properties.get('error') ?? {}
  const [code] = (properties.get('code') ?? nested?.get('code'))?.values ?? []
  return typeof code === 'string' ? code : undefined
}

/** Returns the key of the response that is declared for a status: the status, its range or `default`. */
function nameOf(responses: readonly Response[], status: number): string {
  return findResponse(responses, status)?.status ?? String(status)
}

/** Path parameters of one letter, and the longest that a request target has room for, also if they are encoded. */
const parameterTexts = ['1', '1'.repeat(maxTargetLength), '"'.repeat(maxTargetLength)]

/** Returns the headers of a deprecated operation, with short and long path parameters. */
function headersOfDeprecation(
  { operations, basePath }: Contract,
  operation: Operation,
): readonly ResponseHeaders[] {
  const headers = deprecationHeaders(operation)
  const linkToSuccessor = createSuccessorLink(operation, operations, basePath)
  if (linkToSuccessor === undefined) {
    return [headers]
  }
  const names = Object.keys(operation.parameters.path)
  return parameterTexts.map((text) => {
    const parameters = Object.fromEntries(names.map((name) => [name, text]))
    return { ...headers, Link: linkToSuccessor(parameters) }
  })
}

/** Returns the group of responses to malformed requests; none if the description does not promise any. */
function groupOfMalformed(
  { malformed }: Description,
  headers: readonly ResponseHeaders[],
): readonly Group[] {
  if (malformed === undefined) {
    return []
  }
  const group: Group = {
    of: 'requests that are not valid HTTP',
    keys: ['x-framing-response'],
    keysOf: () => ['x-framing-response'],
    declared: () => malformed,
    responses: framingResponses(),
    headers,
    context: { isApiRequest: false },
  }
  return [group]
}

/** Returns headers with those of rate limits: each of one list with the usual ones of the other. */
function withRateLimits(headers: readonly ResponseHeaders[]): ResponseHeaders[] {
  const limits = rateLimitHeaders()
  return [
    ...headers.map((each) => ({ ...each, ...limits[0] })),
    ...limits.map((each) => ({ ...headers[0], ...each })),
  ]
}

/** Returns the violations of all responses of a group. */
function checkGroup(
  description: Description,
  errors: ErrorResponses,
  group: Group,
): readonly OwnViolation[] {
  const checkedStatuses = new Set<number>()
  /** The places with a violation, with their status: many responses share most of them. */
  const foundPlaces = new Set<string>()
  const isNew = (place: string) => {
    const isFirst = !foundPlaces.has(place)
    foundPlaces.add(place)
    return isFirst
  }

  return group.responses.flatMap((response) => {
    const { status } = response
    const declared = group.declared(status)
    if (declared === undefined) {
      const problem = `the status ${status} is not declared`
      const sentResponse = describe(response, group)
      return [{ keys: group.keys, sentResponse, problem, isOfFormat: false }]
    }

    // The first response of each status is checked with all headers, the others with the usual ones.
    const variants = checkedStatuses.has(status) ? group.headers.slice(0, 1) : group.headers
    checkedStatuses.add(status)
    return variants.flatMap((headers) => {
      const violations = checkResponse({ description, errors, group, declared, response, headers })
      return violations.filter(({ place }) => isNew(place)).map(({ violation }) => violation)
    })
  })
}

/** A response with some headers, and how it is declared. */
interface CheckedResponse {
  readonly description: Description
  readonly errors: ErrorResponses
  readonly group: Group
  readonly declared: Response
  readonly response: AnyResponse
  readonly headers: ResponseHeaders
}

/** Returns the violations of a response, each with its place: a text that is the same for the same violation. */
function checkResponse(checked: CheckedResponse) {
  const { errors, group, declared, response, headers } = checked
  const { status, error } = response
  if (error === undefined) {
    const merged = mergeHeaders(headers, response.headers)
    const fittedResponse = errors.fitTo(declared, response, merged)
    return violationsIn(checked, fittedResponse, false)
  }

  const context = { ...group.context, requestId: String(headers['X-Request-Id']), headers }
  const prepared = errors.prepare({ ...response, error }, context)
  if (prepared.failure !== undefined) {
    const sentResponse = describe(response, group)
    const problem = `server/api/error-format.ts has failed with ${prepared.failure}`
    const violation: OwnViolation = {
      keys: group.keysOf(status),
      sentResponse,
      problem,
      isOfFormat: false,
    }
    return [{ place: problem, violation }]
  }
  if (prepared.violations.length > 0) {
    return violationsIn(checked, prepared, group.isOfHandler === true)
  }
  const { rejected } = prepared
  const ofFormat = rejected === undefined ? [] : violationsIn(checked, rejected, true)
  return prepared.source === 'none' ? [notSent(checked), ...ofFormat] : ofFormat
}

/** Returns the violation of an error that no declared media type has room for. */
function notSent({ group, response }: CheckedResponse) {
  const keys = [...group.keysOf(response.status), 'content']
  const problem = 'it has no JSON and no text, and the error is sent without content'
  const violation: OwnViolation = {
    keys,
    sentResponse: describe(response, group),
    problem,
    isOfFormat: true,
  }
  return { place: `${response.status} ${problem}`, violation }
}

function violationsIn(checked: CheckedResponse, sentError: SentError, isOfFormat: boolean) {
  const { description, errors, group, declared, response } = checked
  const { status } = response
  const allErrors = errors.errorsOf(declared, sentError)
  const errorsOfService =
    group.isOfHandler === true ? withoutHandlerErrors(allErrors, group, response) : allErrors
  const { mediaType = usualMediaType(declared) } = sentError.response
  const keys = group.keysOf(status)

  return errorsOfService.map((error) => {
    const [detail] = toDetails([error])
    const name = headerOf(error)
    const violation: OwnViolation = {
      keys: isOfFormat
        ? keys
        : placeOf(description.documents, { declared, keys, mediaType }, error),
      sentResponse: describe(response, group),
      problem: detail === undefined ? error.keyword : `${detail.path} ${detail.message}`,
      value: name === undefined ? undefined : sentError.headers[name],
      isOfFormat,
    }
    return { place: `${status} ${error.schemaPath} ${headerOf(error)}`, violation }
  })
}

/**
 * Returns the errors that the service is to blame for in a response of a handler: those of the headers that it adds,
 * and those of the body of an error, to which it gives its format.
 */
function withoutHandlerErrors(
  errors: readonly ErrorObject[],
  group: Group,
  { status, error: handlerError }: AnyResponse,
): readonly ErrorObject[] {
  if (handlerError !== undefined) {
    return errors.filter((error) => headerOf(error) === undefined)
  }
  const ownHeaders = new Set([...serviceHeaders, ...namesOfHeaders(group, status)])
  return errors.filter((error) => ownHeaders.has(headerOf(error) ?? ''))
}

function describe({ status, error }: AnyResponse, { of }: Group): string {
  return error === undefined ? `${status} to ${of}` : `${status} ${error.code} to ${of}`
}

/** Returns the names of the headers that the service itself sends with a status, at least sometimes. */
function namesOfHeaders({ responses, headers }: Group, status: number): string[] {
  const ofStatus = responses.filter((response) => response.status === status)
  const headersOfStatus = ofStatus.map((response) => response.headers ?? {})
  return [...headers, ...headersOfStatus].flatMap((fields) => Object.keys(fields))
}
