import { Agent } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Api } from '../../../server/api.ts'
import { recordCall } from '../coverage.ts'
import { createRandom } from '../random.ts'
import { startTestService } from '../service.ts'
import { type Case, headCases, pathCases, requestCases, safe } from './cases.ts'
import { type Description, type Operation, readDescription } from './description.ts'
import { type Sent, send, toCurl } from './requests.ts'
import { readBackCases, repeatedCases, resourcesOf, snapshot } from './resources.ts'
import { createResponseCheck, type Response } from './responses.ts'
import { Values } from './values.ts'

/** A service, and what its responses are judged with. */
export interface Bench {
  readonly description: Description
  readonly values: Values
  readonly seed: number
  readonly origin: string
  readonly apiKey: string
  /** Makes the key of a client that has sent nothing yet. */
  readonly newKey: () => Promise<string>
  /** Sends a request and judges the response. */
  readonly exchange: (
    sent: Sent,
    key?: string,
  ) => Promise<{ readonly response: Response; readonly violations: readonly string[] }>
}

/** Which values are tried, and how many rounds of them. */
export interface Extent {
  readonly seed: number
  readonly runs: number
}

/** Reads CONFORMANCE_SEED and CONFORMANCE_RUNS; the seed is the same in every run unless it is set. */
export function readExtent(usual: Extent = { seed: 1, runs: 1 }): Extent {
  const { CONFORMANCE_SEED: seed, CONFORMANCE_RUNS: runs } = process.env
  return { seed: Number(seed || usual.seed), runs: Number(runs || usual.runs) }
}

/** Reads the description of an API as text has it. */
export function describedBy({ description }: Pick<Api, 'description'>): Description {
  return readDescription(JSON.parse(JSON.stringify(description)))
}

/** Starts a service for an API; it ends with the test. */
export async function startBench(api: Api, seed: number): Promise<Bench> {
  const environment = { ANONYMOUS_PER_MINUTE: '1000000' }
  const { origin, apiKey, issue } = await startTestService(environment, undefined, {}, api)
  const description = describedBy(api)
  // Every request that is sent here is well-formed HTTP, and no response may say otherwise.
  const { locate } = description
  const checkResponse = createResponseCheck({
    ...description,
    locate: (place) => (place[0] === 'x-framing-response' ? undefined : locate(place)),
  })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return {
    ...{ description, seed, origin, apiKey },
    values: new Values(description, createRandom(seed)),
    newKey: async () => (await issue()).key,
    async exchange(sent, key = apiKey) {
      const response = await send(origin, agent, sent, key)
      recordCall(description, sent, response.status)
      return { response, violations: checkResponse(sent, response) }
    },
  }
}

/** The cases of an operation, or of all together: those that must change nothing, and the others. */
export function casesOf(bench: Bench, operation?: Operation) {
  if (operation === undefined) {
    return { unchanging: pathCases(bench), others: readBackCases(bench) }
  }
  const { operationId } = operation
  const resource = resourcesOf(bench).find(({ create }) => create.operationId === operationId)
  const { accepted, rejected } = requestCases(bench, operation, resource?.assigned)
  const isSafe = safe.includes(operation.method)
  return {
    unchanging: [...rejected, ...headCases(bench, operation), ...(isSafe ? accepted : [])],
    others: isSafe ? [] : [...accepted, ...repeatedCases(bench, operation)],
  }
}

/** Runs the cases of an operation, or of all together; returns a report of each check that fails. */
async function findViolations(
  bench: Bench,
  operation?: Operation,
  counts: Map<string, number> = new Map(),
): Promise<string[]> {
  const reports = new Map<string, string>()
  async function run(cases: readonly Case[]): Promise<void> {
    for (const { check, about, sent, judge } of cases) {
      counts.set(check, (counts.get(check) ?? 0) + 1)
      const violations = await judge()
      const title = `${check}, of ${about}:`
      if (violations.length === 0 || reports.has(title)) continue
      const lines = [...violations, ...sent.map((one) => toCurl(one, bench.origin))]
      const repeat = `repeat it with CONFORMANCE_SEED=${bench.seed}`
      reports.set(title, [title, ...lines, repeat].join('\n  '))
    }
  }
  const { unchanging, others } = casesOf(bench, operation)
  if (unchanging.length === 0) return [`no valid request to ${operation?.path} can be made`]
  const before = await snapshot(bench)
  await run(unchanging)
  const isUnchanged = isDeepStrictEqual(await snapshot(bench), before)
  if (!isUnchanged) reports.set('change', 'safe or rejected requests change what is stored')
  await run(others)
  return [...reports.values()]
}

/** Tests that a service accepts what its description allows, and nothing else. */
export function testConformance(api: Api, { seed, runs } = readExtent()): void {
  const counts = new Map<string, number>()

  async function expectNoViolations(operation?: Operation): Promise<void> {
    for (let round = 0; round < runs; round++) {
      const bench = await startBench(api, seed + round)
      expect(await findViolations(bench, operation, counts)).toEqual([])
    }
  }

  test.for(describedBy(api).operations)(
    '$operationId accepts valid requests and rejects each violation',
    { timeout: 120_000 * runs },
    (operation) => expectNoViolations(operation),
  )

  test(
    'created resources are read back, and each path has its methods and no others',
    { timeout: 120_000 * runs },
    () => expectNoViolations(),
  )

  afterAll(() => {
    const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
    const total = rows.reduce((sum, [, count]) => sum + count, 0)
    const list = rows.map(([check, count]) => `${check} ${count}`).join(', ')
    console.log(`${total} cases (${list}) CONFORMANCE_SEED=${seed} CONFORMANCE_RUNS=${runs}`)
  })
}
