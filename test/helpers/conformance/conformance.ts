import { Agent } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Api } from '../../../server/api.ts'
import { sampled } from '../../../server/contract/handler.ts'
import { createRandom } from '../random.ts'
import { startTestService } from '../service.ts'
import { type Case, caseViolations, requestCases, safe } from './cases.ts'
import { type Description, type Operation, parseJson, readDescription } from './description.ts'
import { type Sent, send, toSent } from './requests.ts'
import { createResponseCheck } from './responses.ts'
import { Values } from './values.ts'

type Bench = Awaited<ReturnType<typeof startBench>>

/** Reads the description of an API. */
function describedBy({ description }: Pick<Api, 'description'>): Description {
  // Every request that is sent here is well-formed HTTP, and no response may say otherwise.
  const { 'x-framing-response': _, ...root } = description
  return readDescription(root)
}

/** Starts a service for an API, with what its responses are judged with; it ends with the test. */
export async function startBench(api: Api, seed: number) {
  const environment = { ANONYMOUS_PER_MINUTE: '1000000' }
  const { origin, apiKey, issue, store } = await startTestService(environment, undefined, {}, api)
  const handlers = api.createHandlers({ store, idempotencyHours: 1 })
  const description = describedBy(api)
  const checkResponse = createResponseCheck(description)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const keys: string[] = []
  return {
    ...{ description, seed },
    /** Whether the responses of an operation are examples, whatever was sent. */
    isSampled: ({ operationId }: Operation) => handlers[operationId] === sampled,
    values: new Values(description, createRandom(seed)),
    /** Sends a request, as a client of its own if wanted, and judges the response. */
    async sendRequest(sent: Sent, isNewClient = false) {
      // Many at once, so that the service finds them with one query.
      if (isNewClient && keys.length === 0) {
        for (let count = 0; count < 50; count++) keys.push((await issue()).key)
      }
      const key = isNewClient ? keys.pop() : undefined
      const response = await send(origin, agent, sent, key ?? apiKey)
      return { response, violations: checkResponse(sent, response) }
    },
  }
}

/** Runs the cases of an operation; returns a report of each check that fails. */
async function findViolations(bench: Bench, operation: Operation): Promise<string[]> {
  const isSafe = safe.includes(operation.method)
  const isSampled = bench.isSampled(operation)
  const reports = new Map<string, string>()
  async function run(cases: readonly Case[]): Promise<void> {
    for (const one of cases) {
      const { check, draft } = one
      const sent = toSent(bench.description, draft)
      // With an Idempotency-Key, earlier requests of a client decide what it gets now.
      const isNewClient =
        !isSafe && [...draft.texts.keys()].some(({ in: location }) => location === 'header')
      const { response, violations } = await bench.sendRequest(sent, isNewClient)
      const stored = isSampled ? undefined : sent.body
      const all = [...caseViolations(one, stored, response), ...violations]
      if (all.length === 0 || reports.has(check)) continue
      const shown = JSON.stringify(sent).slice(0, 1_000)
      const repeat = `repeat it with CONFORMANCE_SEED=${bench.seed}`
      reports.set(check, [`${check}:`, ...all, shown, repeat].join('\n  '))
    }
  }
  const { accepted, rejected } = requestCases(bench.values, operation)
  if (accepted.length === 0) return [`no valid request to ${operation.path} can be made`]
  const before = await snapshot(bench)
  await run(isSafe ? [...rejected, ...accepted] : rejected)
  const isUnchanged = isDeepStrictEqual(await snapshot(bench), before)
  if (!isUnchanged) reports.set('change', 'safe or rejected requests change what is stored')
  if (!isSafe) await run(accepted)
  return [...reports.values()]
}

/** Returns every list that clients can read without parameters. */
async function snapshot({ description, sendRequest }: Bench): Promise<unknown[]> {
  const reads = description.operations.filter(
    ({ method, parameters }) => method === 'GET' && !parameters.some((one) => one.isRequired),
  )
  const bodies = await Promise.all(
    reads.map(async (operation) => {
      const sent = toSent(description, { operation, texts: new Map() })
      return parseJson((await sendRequest(sent)).response.body)
    }),
  )
  return bodies.filter(Array.isArray)
}

/**
 * Tests that a service accepts what its description allows, and nothing else. CONFORMANCE_SEED and
 * CONFORMANCE_RUNS say which values are tried, and how many rounds of them.
 */
export function testConformance(api: Api, usual = { seed: 1, runs: 1 }): void {
  const seed = Number(process.env['CONFORMANCE_SEED'] || usual.seed)
  const runs = Number(process.env['CONFORMANCE_RUNS'] || usual.runs)
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
