import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Contract, describedOperation, findResponse } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { toDetails } from '../contract/details.ts'
import { shorten } from '../contract/errors.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import {
  createSuccessorLink,
  deprecationHeaders,
  mergeHeaders,
  type ResponseHeaders,
  serviceHeaders,
} from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { ResponseValidator, usualMediaType } from '../contract/response-validation.ts'
import { headerOf, placeOf } from '../contract/violation-place.ts'
import type { Description, Response } from '../description/description.ts'
import { isObject } from '../description/json.ts'
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

/** A place of a description that does not allow what the service itself sends. */
export interface OwnViolation {
  /** Keys from the root of the description to the place, through references. */
  readonly keys: readonly string[]
  /** What is sent, such as `405 method_not_allowed`. */
  readonly sent: string
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
}

/** The code that adds headers, and that decides whether a response is allowed. */
const deciding = [
  '../contract/ajv-keywords.ts',
  '../contract/ajv.ts',
  '../contract/applied-schemas.ts',
  '../contract/chosen-form.ts',
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

/** Has an empty file for each digest of what was checked and found to be right. */
const checkedFolder = new URL('../../node_modules/.cache/own-responses', import.meta.url)

/** Throws a `ContractError` if the service itself would send what its description does not allow. */
export function assertOwnResponses(contract: Contract, texts: AllTexts, rateLimits: boolean): void {
  // To compile the schemas of all responses takes half as long as the start: it is done once.
  const setup = { description: contract.description, texts, rateLimits }
  const checked = new URL(digestOf(contract, setup), checkedFolder)
  if (existsSync(checked)) {
    return
  }
  const violations = findOwnViolations(contract, texts, rateLimits)
  if (violations.length === 0) {
    note(checked)
    return
  }
  const lines = violations.map((violation) => {
    const { pointer } = contract.description.documents.locate(violation.keys)
    return `generated/openapi.json${pointer}: ${explain(violation)}`
  })
  const advice = 'Where this is written, with file and line, is printed by: npm run check'
  throw new ContractError([...lines, advice].join('\n'))
}

/** Returns a digest of a description, of what the service itself sends, and of the code that compares them. */
function digestOf(contract: Contract, setup: OwnSetup): string {
  const { description, operations, basePath } = contract
  const document = description.documents.root.value
  const all = Object.values(operations)
  const sent = [
    all.map((operation) => responsesTo(operation, setup)),
    responsesToUndeclared(all, setup),
    framingResponses(),
    commonHeaders(),
    setup.rateLimits ? rateLimitHeaders() : [],
  ]
  const code = deciding.map((name) => {
    return readFileSync(new URL(name, import.meta.url), 'utf8')
  })
  return hash('sha256', JSON.stringify([document, operations, basePath, sent, code]))
}

function note(checked: URL): void {
  try {
    mkdirSync(checkedFolder, { recursive: true })
    writeFileSync(checked, '')
  } catch {
    // In an image, the service cannot write there: every start checks.
  }
}

/** Returns the sentence about a violation. */
export function explain({ sent, problem, value }: OwnViolation): string {
  const shown = value === undefined ? '' : ` (it is ${shorten(JSON.stringify(value))})`
  return `The service itself sends ${sent}, which this does not allow: ${problem}${shown}.`
}

/** Returns the places of a description that do not allow what the service itself sends, each once. */
export function findOwnViolations(
  contract: Contract,
  texts: AllTexts,
  rateLimits: boolean,
): readonly OwnViolation[] {
  const { description } = contract
  const validator = new ResponseValidator(description)
  const setup = { description, texts, rateLimits }
  const violations = groupsOf(contract, setup).flatMap((group) => {
    return checkGroup(description, validator, group)
  })
  // Operations share most of their responses.
  const byPlace = violations.map((violation) => {
    const { pointer } = description.documents.locate(violation.keys)
    return [`${pointer} ${violation.problem}`, violation] as const
  })
  return [...new Map(byPlace.reverse()).values()].reverse()
}

function groupsOf(contract: Contract, setup: OwnSetup): readonly Group[] {
  const { description, operations } = contract
  const usual = commonHeaders()
  const headers = setup.rateLimits ? withRateLimits(usual) : usual
  const all = Object.values(operations)
  const ofOperations = all.flatMap((operation) => {
    return groupsOfOperation(contract, operation, headers, setup)
  })
  const ofOthers: Group = {
    of: 'requests that match no operation',
    keys: ['x-undeclared-operations'],
    keysOf: (status) => ['x-undeclared-operations', nameOf(description.undeclared, status)],
    declared: (status) => findResponse(description.undeclared, status),
    responses: responsesToUndeclared(all, setup),
    headers,
  }
  return [...ofOperations, ofOthers, ...groupOfMalformed(description, usual)]
}

/** Returns the group of what the service sends in place of the handler, and that of what it adds to others. */
function groupsOfOperation(
  contract: Contract,
  operation: Operation,
  headers: readonly ResponseHeaders[],
  setup: OwnSetup,
): readonly Group[] {
  const { description } = contract
  const { operationId: of, path, method } = operation
  const { responses } = describedOperation(description, operation)
  const own = responsesTo(operation, setup)
  const others = responses
    .map((response) => Number(response.status))
    .filter((status) => Number.isInteger(status) && own.every((one) => one.status !== status))
  const ofHandler = others.flatMap((status) => {
    return headersOfSuccess(operation, status).map((added) => ({ status, headers: added }))
  })
  const [usual, ...longer] = headersOfDeprecation(contract, operation)
  const keys = ['paths', path, method, 'responses']
  const group = {
    of,
    keys,
    keysOf: (status: number) => [...keys, nameOf(responses, status)],
    declared: (status: number) => findResponse(responses, status),
    headers: [
      ...headers.map((each) => ({ ...each, ...usual })),
      ...longer.map((each) => ({ ...headers[0], ...each })),
    ],
  }
  return [
    { ...group, responses: own },
    { ...group, responses: ofHandler, isOfHandler: true },
  ]
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
  validator: ResponseValidator,
  group: Group,
): OwnViolation[] {
  const checked = new Set<number>()
  /** The errors that were found, by status and place: most are those of many responses. */
  const found = new Set<string>()
  return group.responses.flatMap((response) => {
    const { status } = response
    const declared = group.declared(status)
    if (declared === undefined) {
      const problem = `the status ${status} is not declared`
      return { keys: group.keys, sent: describe(response, group), problem }
    }
    // What else there is in a response of a handler is the handler's.
    const ownNames = new Set([...serviceHeaders, ...namesOfHeaders(group, status)])
    // Each response with the usual headers, and one of each status with all others.
    const variants = checked.has(status) ? group.headers.slice(0, 1) : group.headers
    checked.add(status)
    return variants.flatMap((headers) => {
      const merged = mergeHeaders(headers, response.headers)
      const errors = validator.errorsOf(declared, response, merged)
      const own = errors.filter((error) => {
        const place = `${status} ${error.schemaPath} ${headerOf(error)}`
        const isNew = !found.has(place)
        found.add(place)
        return isNew && (!group.isOfHandler || ownNames.has(headerOf(error) ?? ''))
      })
      const { mediaType = usualMediaType(declared) } = response
      const keys = group.keysOf(status)
      return own.map((error): OwnViolation => {
        const [detail] = toDetails([error])
        const name = headerOf(error)
        return {
          keys: placeOf(description.documents, { declared, keys, mediaType }, error),
          sent: describe(response, group),
          problem: detail === undefined ? error.keyword : `${detail.path} ${detail.message}`,
          value: name === undefined ? undefined : merged[name],
        }
      })
    })
  })
}

function describe({ status, body }: AnyResponse, { of }: Group): string {
  const code = isObject(body) ? body['code'] : undefined
  return code === undefined ? `${status} to ${of}` : `${status} ${code} to ${of}`
}

/** Returns the names of the headers that the service itself sends with a status, at least sometimes. */
function namesOfHeaders({ responses, headers }: Group, status: number): string[] {
  const own = responses.filter((response) => response.status === status)
  return [...headers, ...own.map((response) => response.headers ?? {})].flatMap((fields) =>
    Object.keys(fields),
  )
}
