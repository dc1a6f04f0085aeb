import { Agent } from 'node:http'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import type { Description } from './description.ts'
import { type Destination, type Sent, send, toCurl } from './requests.ts'
import { type CheckResponse, createResponseCheck, type Response } from './responses.ts'
import { createGenerator, type Generator } from './variations.ts'

/** A service that cases are run against. */
export interface Service {
  readonly origin: string
  readonly apiKey: string
  readonly issue: () => Promise<{ readonly key: string }>
}

/** What cases are judged with. */
export interface Bench extends Destination {
  readonly generator: Generator
  readonly checkResponse: CheckResponse
  readonly apiKey: string
  /** Makes the key of a client that has sent nothing yet. */
  readonly newKey: () => Promise<string>
  /** Sends a request and judges the response. */
  readonly exchange: (sent: Sent, key?: string) => Promise<Exchange>
}

export interface Exchange {
  readonly response: Response
  readonly violations: readonly string[]
}

/** How long a run is. */
export interface Extent {
  /** Values of each case. */
  readonly runs: number
  readonly seed: number
  /** Whether a run ends with the first case that fails, as it was found. */
  readonly stopsEarly?: boolean
}

/** One property of one operation. */
export interface Case {
  readonly check: string
  /** Finds a value that the property does not hold for; reports it as small as it can be. */
  readonly run: (bench: Bench, extent: Extent, count: () => void) => Promise<string | undefined>
}

/** What is tried: values, what is wrong with the responses to each, and the requests of each. */
export interface Trial<Value> {
  readonly check: string
  readonly operation: string
  readonly values: fc.Arbitrary<Value>
  /** Whether one value is enough. */
  readonly isSingle?: boolean
  readonly judge: (value: Value, bench: Bench) => Promise<readonly string[]>
  readonly requests: (value: Value) => readonly Sent[]
}

class Violated extends Error {}

/** Makes the bench of a service. */
export function createBench(
  description: Description,
  { origin, apiKey, issue }: Service,
  onExchange: (sent: Sent, status: number) => void = () => undefined,
): Bench {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  // Every request that is sent here is well-formed HTTP, and no response may say otherwise.
  const { locate } = description
  const framed: Description = {
    ...description,
    locate: (place) => (place[0] === 'x-framing-response' ? undefined : locate(place)),
  }
  const checkResponse = createResponseCheck(framed)
  return {
    ...{ origin, agent, apiKey, checkResponse },
    generator: createGenerator(description),
    newKey: async () => (await issue()).key,
    async exchange(sent, key = apiKey) {
      const response = await send({ origin, agent }, sent, key)
      onExchange(sent, response.status)
      return { response, violations: checkResponse(sent, response) }
    },
  }
}

/** Makes a case of a trial. */
export function createCase<Value>(trial: Trial<Value>): Case {
  const { check, operation, values, isSingle = false, judge, requests } = trial
  return {
    check,
    async run(bench, { runs, seed, stopsEarly = false }, count) {
      const property = fc.asyncProperty(values, async (value) => {
        count()
        const violations = await judge(value, bench)
        if (violations.length > 0) throw new Violated(violations.join('\n  '))
      })
      const options = { numRuns: isSingle ? 1 : runs, seed, endOnFailure: stopsEarly }
      const { failed, counterexample, errorInstance } = await fc.check(property, options)
      if (!failed) return undefined
      if (!(errorInstance instanceof Violated) || counterexample === null) throw errorInstance
      return [
        `${check}, of ${operation}:`,
        errorInstance.message,
        ...requests(counterexample[0]).map((sent) => toCurl(sent, bench.origin)),
        `repeat it with CONFORMANCE_SEED=${seed}`,
      ].join('\n  ')
    },
  }
}

/** Runs cases against a service; returns a report of each that fails, and counts the values. */
export async function runCases(
  cases: readonly Case[],
  bench: Bench,
  extent: Extent,
  counts: Map<string, number>,
): Promise<string[]> {
  const reports: string[] = []
  for (const { check, run } of cases) {
    const count = () => counts.set(check, (counts.get(check) ?? 0) + 1)
    const report = await run(bench, extent, count)
    if (report !== undefined) reports.push(report)
    if (report !== undefined && extent.stopsEarly === true) break
  }
  return reports
}

/** Reads CONFORMANCE_RUNS and CONFORMANCE_SEED: how many values each case tries, and which. */
export function readExtent(
  { CONFORMANCE_RUNS: runs, CONFORMANCE_SEED: seed } = process.env,
): Extent {
  return { runs: Number(runs || 3), seed: Number(seed || Date.now() % 2 ** 31) }
}
