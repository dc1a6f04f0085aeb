import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Contract } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import type { ErrorFormat } from '../contract/error-format.ts'
import { ErrorResponses } from '../contract/error-responses.ts'
import { shorten } from '../contract/errors.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import type { AllTexts } from '../security/rejections.ts'
import { GroupCheck, type OwnViolation } from './group-check.ts'
import { KeptResults } from './kept-results.ts'
import {
  commonHeaders,
  framingResponses,
  headersOfDeprecation,
  headersOfSuccess,
  rateLimitHeaders,
  responsesTo,
  responsesToUndeclared,
} from './own-responses.ts'
import { groupsOf } from './response-groups.ts'

/**
 * The files that decide whether a response is allowed: code of the platform, the format of errors, and the versions
 * of libraries. Of the other code, a digest has what it sends.
 */
export const decidingFiles = {
  folders: ['../contract/', '../description/', './'],
  files: ['../api/error-format.ts', '../../package.json'],
}

const keptResults = new KeptResults(
  fileURLToPath(new URL('../../node_modules/.cache/own-responses', import.meta.url)),
)

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
  const digest = digestOf(checked)
  const keptLines = keptResults.find(digest)
  if (keptLines !== undefined) {
    return keptLines
  }

  const toLine = (violation: OwnViolation) => {
    const { pointer } = checked.contract.description.documents.locate(violation.keys)
    return `generated/openapi.json${pointer}: ${explain(violation)}`
  }
  const violations = findOwnViolations(checked)
  const rejected = violations.filter(({ isOfFormat }) => !isOfFormat)
  if (rejected.length > 0) {
    const advice = 'Where this is written, with file and line, is printed by: npm run check'
    throw new ContractError([...rejected.map(toLine), advice].join('\n'))
  }

  const differing = violations.map(toLine)
  keptResults.keep(digest, differing)
  return differing
}

/** Returns a digest of a description, of what the service itself sends, and of the code that compares them. */
function digestOf({ contract, errorFormat, ...setup }: OwnResponses): string {
  const { description, operations, basePath } = contract
  const allOperations = Object.values(operations)
  const ownSetup = { ...setup, description }
  const undeclared = responsesToUndeclared(allOperations, ownSetup)
  const sentByService = {
    toOperations: allOperations.map((operation) => [
      responsesTo(operation, ownSetup),
      headersOfSuccess(operation, 201),
      headersOfDeprecation(contract, operation),
    ]),
    undeclared,
    malformed: framingResponses(),
    headers: commonHeaders(),
    limits: setup.rateLimits ? rateLimitHeaders() : [],
  }
  const format = {
    mediaType: errorFormat.mediaType,
    toBody: String(errorFormat.toBody),
    bodies: undeclared.map((response) => bodyOf(response, errorFormat)),
  }
  const document = description.documents.root.value
  const parts = [document, operations, basePath, sentByService, format, readCode()]
  return hash('sha256', JSON.stringify(parts))
}

function bodyOf({ status, error }: AnyResponse, { toBody }: ErrorFormat): unknown {
  try {
    return error && toBody({ ...error, status, requestId: '' })
  } catch (thrown) {
    return String(thrown)
  }
}

/** Returns the texts of the files that decide, and the version of Node.js. */
function readCode(): readonly string[] {
  const inFolders = decidingFiles.folders.flatMap((folder) => {
    const names = readdirSync(new URL(folder, import.meta.url))
    // Editors have hidden files beside these.
    return names.filter((name) => /^[^.].*\.ts$/.test(name)).map((name) => folder + name)
  })
  const texts = [...inFolders, ...decidingFiles.files].map((file) => {
    return readFileSync(new URL(file, import.meta.url), 'utf8')
  })
  return [...texts, process.version]
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
  const { documents } = description
  const errors = new ErrorResponses(description, errorFormat)
  const violations = groupsOf(contract, { ...setup, description }).flatMap((group) => {
    return new GroupCheck(group, errors, documents).findViolations()
  })

  // Operations share most of their responses. The first violation of a place is kept, and listed where the last one is.
  const byPlace = new Map<string, OwnViolation>()
  for (const violation of violations) {
    const { pointer } = documents.locate(violation.keys)
    const place = violation.isOfFormat ? pointer : `${pointer} ${violation.problem}`
    const firstOfPlace = byPlace.get(place) ?? violation
    byPlace.delete(place)
    byPlace.set(place, firstOfPlace)
  }
  return [...byPlace.values()]
}
