import { Agent } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Api } from '../../../server/api.ts'
import { createRandom } from '../random.ts'
import { startTestService } from '../service.ts'
import { type Case, requestCases, safe } from './cases.ts'
import { type Description, type Operation, parseJson, readDescription } from './description.ts'
import { emptyDraft, type Sent, send, toSent } from './requests.ts'
import { createResponseCheck, type Response } from './responses.ts'
import { Values } from './values.ts'

/** A service, and what its responses are judged with. */
export interface Bench {
  readonly description: Description
  readonly values: Values
  readonly seed: number
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
function describedBy({ description }: Pick<Api, 'description'>): Description {
  // Every request that is sent here is well-formed HTTP, and no response may say otherwise.
  const { 'x-framing-response': _, ...root } = JSON.parse(JSON.stringify(description))
  return readDescription(root)
}

/** Starts a service for an API; it ends with the test. */
export async function startBench(api: Api, seed: number): Promise<Bench> {
  const environment = { ANONYMOUS_PER_MINUTE: '1000000' }
  const { origin, apiKey, issue } = await startTestService(environment, undefined, {}, api)
  const description = describedBy(api)
  const checkResponse = createResponseCheck(description)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return {
    ...{ description, seed, apiKey },
    values: new Values(description, createRandom(seed)),
    newKey: async () => (await issue()).key,
    async exchange(sent, key = apiKey) {
      const response = await send(origin, agent, sent, key)
      return { response, violations: checkResponse(sent, response) }
    },
  }
}

/** Runs the cases of an operation; returns a report of each check that fails. */
async function findViolations(bench: Bench, operation: Operation): Promise<string[]> {
  const reports = new Map<string, string>()
  async function run(cases: readonly Case[]): Promise<void> {
    for (const { check, sent, judge } of cases) {
      const violations = await judge()
      if (violations.length === 0 || reports.has(check)) continue
      const repeat = `repeat it with CONFORMANCE_SEED=${bench.seed}`
      const lines = [`${check}:`, ...violations, JSON.stringify(sent), repeat]
      reports.set(check, lines.join('\n  '))
    }
  }
  const { accepted, rejected } = requestCases(bench, operation)
  if (accepted.length === 0) return [`no valid request to ${operation.path} can be made`]
  const isSafe = safe.includes(operation.method)
  const before = await snapshot(bench)
  await run(isSafe ? [...rejected, ...accepted] : rejected)
  const isUnchanged = isDeepStrictEqual(await snapshot(bench), before)
  if (!isUnchanged) reports.set('change', 'safe or rejected requests change what is stored')
  if (!isSafe) await run(accepted)
  return [...reports.values()]
}

/** Returns every list that clients can read without parameters. */
async function snapshot({ description, exchange }: Bench): Promise<unknown[]> {
  const reads = description.operations.filter(
    ({ method, parameters }) => method === 'GET' && !parameters.some((one) => one.isRequired),
  )
  const bodies = await Promise.all(
    reads.map(async (operation) => {
      const sent = toSent(description.basePath, emptyDraft(description, operation))
      return parseJson((await exchange(sent)).response.body)
    }),
  )
  return bodies.filter(Array.isArray)
}

/** Tests that a service accepts what its description allows, and nothing else. */
export function testConformance(api: Api, { seed, runs } = readExtent()): void {
  test.for(describedBy(api).operations)(
    '$operationId accepts valid requests and rejects each violation',
    { timeout: 120_000 * runs },
    async (operation) => {
      for (let round = 0; round < runs; round++) {
        const bench = await startBench(api, seed + round)
        expect(await findViolations(bench, operation)).toEqual([])
      }
    },
  )
}
