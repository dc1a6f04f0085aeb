import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { issueDevelopmentKey } from '../../../server/security/development-key.ts'
import type { Api } from '../../../server/served-api.ts'
import { roomy, startServiceOf, type TestService } from '../service.ts'
import { type Case, casesOf, type Fuzzing } from './cases.ts'
import { readText } from './content.ts'
import { addCredentials } from './credentials.ts'
import {
  type Description,
  type Operation,
  parseJson,
  readDescription,
  toList,
  toObject,
} from './description.ts'
import { walkPages } from './pages.ts'

/** Methods that change nothing (RFC 9110, section 9.2.1), and QUERY. */
const safe = ['GET', 'HEAD', 'OPTIONS', 'QUERY']
/** Statuses that the service gives by itself, not the handler. */
const givenByService = [400, 401, 405, 406, 413, 415, 429]

/** For how long all operations of an API are tested, in milliseconds. */
const usualTime = 40_000

/** Up to how many operations are tested one by one, each with a service of its own. */
const maxSingle = 20

/** In how many groups more operations are tested, because a service of many takes a while to start. */
const groupCount = 4

/** How many lists are read to see whether a request has changed what is stored. */
const maxLists = 5

/** A part of the operations, which one service is tested with. */
interface Group {
  /** The names of the first and the last one. */
  readonly names: string
  readonly operations: readonly Operation[]
}

/**
 * Tests that a service accepts what its description allows, and nothing else, with random requests, too. It
 * takes less than a minute, unless `time` is longer: what there is no time for is skipped, and counted in the output.
 */
export function testConformance(api: Api, fuzzing?: Fuzzing, time = usualTime): void {
  const description = readDescription(api.description, api.settings.requests)
  const groups = groupsOf(description.operations)
  const schedule = new Schedule(description.operations.length, time)
  const firstRequests = new Map<Operation, Case['request']>()
  const timeout = 120_000 + 100 * (fuzzing?.requests ?? 0)

  test.for(groups)(
    '$names: valid requests are accepted and violations rejected',
    { timeout },
    async ({ operations }) => {
      if (schedule.isOver()) {
        return
      }
      const service = await startServiceOf(api, { ANONYMOUS_PER_MINUTE: '1000000' })
      for (const operation of operations) {
        if (schedule.isOver()) {
          return
        }
        const skip = schedule.next(operation)
        const isSampled = service.unimplemented.has(operation.operationId)
        const run = { service, description, isSampled, fuzzing, skip, firstRequests }
        const violations = await findViolations(run, operation)
        expect.soft(violations, nameOf(operation)).toEqual([])
      }
    },
  )

  test.for(groups)(
    '$names: callers without the scopes that are required are rejected',
    { timeout },
    async ({ operations }) => {
      const started = operations.filter((operation) => schedule.wasStarted(operation))
      if (started.length === 0) {
        return
      }
      const service = await startServiceOf(withoutScopes(api))
      for (const operation of started) {
        const { path = '', ...request } = firstRequests.get(operation) ?? {}
        const response = await service.send(path, { ...request, key: '' })
        const { status } = response
        await readText(response)
        const isForbidden = operation.combinations.every(({ hasScopes }) => hasScopes)
        expect.soft(status === 403, nameOf(operation)).toBe(isForbidden)
      }
    },
  )

  test('what there was no time for is counted', () => {
    const { operations, requests } = schedule.skipped()
    if (operations + requests > 0) {
      const total = description.operations.length
      console.info(
        `conformance: skipped ${operations} of ${total} operations, and ${requests} requests`,
      )
    }
  })
}

function nameOf({ operationId, method, path }: Operation): string {
  return `${operationId} (${method} ${path})`
}

/** Returns operations in groups: one for each of them, unless there are many. */
function groupsOf(operations: readonly Operation[]): readonly Group[] {
  const isSingle = operations.length <= maxSingle
  const size = isSingle ? 1 : Math.ceil(operations.length / groupCount)
  const starts = Array.from({ length: Math.ceil(operations.length / size) }, (_, at) => at * size)
  return starts.map((start) => {
    const group = operations.slice(start, start + size)
    const ends = new Set([group[0], group.at(-1)].map((each) => each?.operationId))
    return { names: [...ends].join(' to '), operations: group }
  })
}

/** Divides the time between operations: each has a share of what is left. */
class Schedule {
  readonly #started = new Set<Operation>()
  readonly #time: number
  #begin: number | undefined
  #left: number
  #skippedRequests = 0

  constructor(operations: number, time: number) {
    this.#left = operations
    this.#time = time
  }

  /** Returns whether there is no time for other operations. */
  isOver(): boolean {
    return this.#rest() <= 0
  }

  /** Starts the time of an operation; returns a function that says whether a request has to be skipped. */
  next(operation: Operation): () => boolean {
    const deadline = performance.now() + this.#rest() / this.#left
    this.#left--
    this.#started.add(operation)

    return () => {
      const isLate = performance.now() > deadline
      if (isLate) {
        this.#skippedRequests++
      }
      return isLate
    }
  }

  #rest(): number {
    const now = performance.now()
    this.#begin ??= now
    return this.#begin + this.#time - now
  }

  wasStarted(operation: Operation): boolean {
    return this.#started.has(operation)
  }

  /** Returns how many operations were skipped whole, and how many requests to others. */
  skipped(): { readonly operations: number; readonly requests: number } {
    return { operations: this.#left, requests: this.#skippedRequests }
  }
}

/** Returns an API that takes every request for one of a caller without scopes. */
function withoutScopes(api: Api): Api {
  const caller = { id: 'anyone', quota: roomy, scopes: new Set<string>(), claims: {} }
  return {
    ...api,
    createAuthenticators(builtIns) {
      const entries = Object.entries(api.createAuthenticators(builtIns))
      const accepting = entries.map(([name, authenticator]) => {
        return [name, { ...authenticator, authenticate: async () => caller }] as const
      })
      return Object.fromEntries(accepting)
    },
  }
}

/** A run of the cases of an operation. */
interface Run {
  readonly firstRequests: Map<Operation, Case['request']>
  readonly service: TestService
  readonly description: Description
  readonly isSampled: boolean
  readonly fuzzing: Fuzzing | undefined
  /** Returns whether there is no time for another request. */
  readonly skip: () => boolean
}

/** Sends the cases of an operation; returns a report of the first failure of each kind. */
async function findViolations(run: Run, operation: Operation): Promise<string[]> {
  const { service, description, isSampled, fuzzing, skip, firstRequests } = run
  const reports = new Map<string, string>()
  // Outside production, every security scheme accepts this key.
  const { perMinute, perDay } = roomy
  const { key, record } = issueDevelopmentKey({ roomy: { perMinute, perDay } })
  await service.store.keys.add(record)

  async function send(cases: readonly Case[]): Promise<void> {
    for (const testCase of cases) {
      if (skip()) {
        continue
      }
      const response = await sendWith(service, operation, testCase.request, key)
      const received = { status: response.status, body: parseJson(await readText(response)) }
      // Of random requests, several may have one idempotency key.
      const isReused = fuzzing !== undefined && received.status === 422
      const violation = isReused ? undefined : violationOf(operation, testCase, received, isSampled)
      const [kind = 'valid'] = testCase.kinds
      if (violation === undefined || reports.has(kind)) {
        continue
      }

      const requestText = JSON.stringify(testCase.request).slice(0, 1_000)
      reports.set(kind, `${kind}: ${violation}\n  ${requestText}`)
    }
  }

  const cases = casesOf(description, operation, fuzzing)
  const [first] = cases
  if (first === undefined) {
    return [`no valid request to ${operation.path} can be made`]
  }
  firstRequests.set(operation, first.request)

  for (const violation of await findAccess(service, operation, first.request, key)) {
    reports.set(violation, violation)
  }

  const toPage = (path: string) => sendWith(service, operation, { ...first.request, path }, key)
  const wrongPage = await walkPages(operation, first.request.path, toPage)
  if (wrongPage !== undefined) {
    reports.set('pages', wrongPage)
  }

  const before = await readLists(service, description, key)
  const isHarmless = ({ kinds }: Case) => safe.includes(operation.method) || kinds.length > 0
  await send(cases.filter(isHarmless))

  const isUnchanged = isDeepStrictEqual(await readLists(service, description, key), before)
  if (!isUnchanged) {
    reports.set('change', 'safe or rejected requests change what is stored')
  }

  await send(cases.filter((testCase) => !isHarmless(testCase)))
  return [...reports.values()]
}

type Sent = Pick<Case['request'], 'path' | 'method' | 'headers'>

/** Sends a request with the credentials of a combination: the first one that the operation accepts. */
function sendWith(
  service: TestService,
  operation: Operation,
  request: Sent,
  key: string,
  combination = operation.combinations.find(({ schemes }) => schemes.length > 0),
): Promise<Response> {
  const none = { schemes: [], hasScopes: false }
  const { path, ...init } = addCredentials(request, combination ?? none, key)
  return service.send(path, { ...init, key: '' })
}

/** Returns what is wrong with who may send a request: without credentials, with invalid ones, with valid ones. */
async function findAccess(
  service: TestService,
  operation: Operation,
  request: Sent,
  key: string,
): Promise<readonly string[]> {
  const violations: string[] = []
  const { path, ...init } = request
  const secured = operation.combinations.filter(({ schemes }) => schemes.length > 0)
  const isPublic = secured.length < operation.combinations.length

  const response = await service.send(path, { ...init, key: '' })
  const { status } = response
  await readText(response)
  if (isPublic === (status === 401)) {
    violations.push(`without credentials, it is ${status}`)
  }

  for (const [index, combination] of secured.entries()) {
    const rejected = await sendWith(service, operation, request, 'invalid', combination)
    if (rejected.status !== 401) {
      violations.push(`with invalid credentials of combination ${index}, it is ${rejected.status}`)
    }
    // A request that changes something is sent with the cases.
    if (!safe.includes(request.method)) {
      continue
    }
    const accepted = await sendWith(service, operation, request, key, combination)
    // A stream may have no end.
    await readText(accepted)
    if (accepted.status === 401 || accepted.status === 403) {
      violations.push(`with credentials of combination ${index}, it is ${accepted.status}`)
    }
  }
  return violations
}

/** A response as it is judged. */
interface Received {
  readonly status: number
  readonly body: unknown
}

/** Returns what is wrong with the response to a case; a handler that is sampled stores nothing. */
function violationOf(
  operation: Operation,
  { request, pointers }: Case,
  received: Received,
  isSampled: boolean,
): string | undefined {
  const { status } = received
  const size = Buffer.byteLength(request.body ?? '')
  const maxBytes = Number(operation.body?.maxBytes ?? Infinity)

  // The size of a body is seen before its content.
  if (size > maxBytes) {
    return status === 413 ? undefined : `the status is ${status}, not 413`
  }
  if (pointers.length > 0) {
    return violationOfRejection(pointers, received)
  }
  return violationOfSuccess(request.body ?? '', received, isSampled)
}

/** Returns what is wrong with the response to a request that has violations. */
function violationOfRejection(
  pointers: readonly string[],
  { status, body }: Received,
): string | undefined {
  const { code, details } = toObject(body)
  const paths = toList(details).map((detail) => String(toObject(detail)['path']))
  const isNamed = paths.some((path) =>
    pointers.some((pointer) => path === pointer || path.startsWith(`${pointer}/`)),
  )

  if (status === 400 && code === 'invalid_request' && isNamed) {
    return undefined
  }
  return `${status} ${code} names ${paths.join()}, not ${pointers.join(' or ')}`
}

/** Returns what is wrong with the response to a valid request with a body. */
function violationOfSuccess(
  sentBody: string,
  { status, body }: Received,
  isSampled: boolean,
): string | undefined {
  const received = toObject(body)
  const code = String(received['code'])

  // A handler may reject what the schema allows, but no idempotency key: its body is always the same.
  const isHandled = status < 300 || (status < 500 && !givenByService.includes(status))
  if (!isHandled || code.startsWith('idempotency_')) {
    return `${status} ${code} for a valid request`
  }
  if (status >= 300 || isSampled) {
    return undefined
  }

  const sentFields = Object.entries(toObject(parseJson(sentBody)))
  const [changedName] =
    sentFields.find(([name, value]) => {
      return Object.hasOwn(received, name) && !isDeepStrictEqual(received[name], value)
    }) ?? []
  return changedName === undefined
    ? undefined
    : `the response has another ${changedName} than was sent`
}

/** Returns every list that clients can read without parameters. */
async function readLists(
  service: TestService,
  description: Description,
  key: string,
): Promise<unknown[]> {
  const lists: unknown[] = []
  for (const operation of description.operations) {
    const { method, path, parameters } = operation
    const isNeeded = lists.length < maxLists && method === 'GET'
    if (!isNeeded || parameters.some(({ required }) => required === true)) {
      continue
    }
    const request = { method, path: description.basePath + path, headers: {} }
    const response = await sendWith(service, operation, request, key)
    const body = parseJson(await readText(response))
    if (Array.isArray(body)) {
      lists.push(body)
    }
  }
  return lists
}
