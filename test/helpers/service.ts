import { expect, onTestFailed, onTestFinished } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { pagePrefixOf } from '../../server/description/platform-paths.ts'
import { createLog } from '../../server/ops/log.ts'
import { issueKey } from '../../server/security/api-key.ts'
import type { RedisCounting } from '../../server/security/redis-rate-limiter.ts'
import type { Api } from '../../server/served-api.ts'
import { startService } from '../../server/service.ts'
import { openStore } from '../../server/store/store.ts'
import { createToolLibrary } from '../fixture-api/client.ts'
import { fixtureApi } from '../fixture-api/fixture-api.ts'
import { isStream } from './conformance/content.ts'
import { type JsonObject, readDescription, toObject } from './conformance/description.ts'
import { createResponseCheck } from './conformance/responses.ts'
import { createUsualDatabase, type TestDatabase } from './databases/test-database.ts'
import { merge } from './raw.ts'

/** A service on a free port, with a store of its own, that ends with the test. */
export type TestService = Awaited<ReturnType<typeof startServiceOf>>

/** A service on the fixture API. */
export type FixtureService = Awaited<ReturnType<typeof startTestService>>

type Environment = Readonly<Record<string, string>>
type LogLine = Readonly<Record<string, unknown>>

export interface Init extends Omit<RequestInit, 'headers'> {
  readonly duplex?: 'half'
  /** Another key, or an empty text for none. */
  readonly key?: string
  /** Headers beside the usual ones, or in their place. */
  readonly headers?: Readonly<Record<string, string>>
  /** The content of a POST, or of another method: a text as it is, anything else as JSON. */
  readonly json?: unknown
}

/** Reads the description that a service serves. */
async function readServed(origin: string, { settings }: Api): Promise<JsonObject> {
  const response = await fetch(`${origin}${pagePrefixOf(settings)}/openapi.json`)
  return toObject(await response.json())
}

/** A check of responses for each description. */
const checks = new WeakMap<object, ReturnType<typeof createResponseCheck>>()

/** The terms of a key with limits that no test reaches by accident. */
export const roomy = {
  name: undefined,
  plan: 'custom',
  perMinute: 1e6,
  perDay: 1e6,
  expiresAt: undefined,
}

/** Starts a service on the fixture API, or on one that was made from it, with a client. */
export async function startTestService(
  environment: Environment = {},
  givenDatabase?: TestDatabase,
  redisCounting: RedisCounting = {},
  api = fixtureApi,
) {
  const service = await startServiceOf(api, environment, givenDatabase, redisCounting)
  const { baseUrl, apiKey, judgedFetch } = service
  return { ...service, client: createToolLibrary({ baseUrl, apiKey, fetch: judgedFetch }) }
}

/**
 * Starts a service on an API in this process; variables of its environment may be set, its database,
 * and more.
 */
export async function startServiceOf(
  api: Api,
  environment: Environment = {},
  givenDatabase?: TestDatabase,
  redisCounting: RedisCounting = {},
) {
  const db = givenDatabase ?? (await createUsualDatabase())
  const config = readConfig({
    PORT: '0',
    OPS_PORT: 'off',
    DATABASE_URL: db.url,
    ...environment,
  })
  const logged: LogLine[] = []
  const requestLines: LogLine[] = []
  const log = createLog(config.logLevel, {
    write(text) {
      const line: LogLine = JSON.parse(text)
      // The line of a malformed request has no duration.
      const isOfRequest = 'milliseconds' in line || line['code'] === 'bad_request_framing'
      const lines = isOfRequest ? requestLines : logged
      lines.push(line)
    },
  })
  const { timeout } = db
  const options = { poolSize: config.databasePoolSize, ...(timeout && { timeout }) }
  const store = await openStore(config.databaseUrl, api.schema, options)
  const service = await startService(config, store, log, { redisCounting, api })

  const stop = async (): Promise<void> => {
    await service.stop()
    await store.close()
  }

  // Without rate limits, the service serves another description than it was given.
  const description = config.rateLimits ? api.description : await readServed(service.origin, api)
  const check = checks.getOrInsertComputed(description, () => {
    return createResponseCheck(readDescription(description))
  })
  const judgements: Promise<readonly string[]>[] = []
  /** Judge the parts of streams that the test has read, at its end. */
  const streamJudgements: (() => readonly string[])[] = []

  // The response of a 500 does not have the reason.
  onTestFailed(() => {
    for (const line of logged) {
      if (line['msg'] === 'request failed') {
        console.error(line)
      }
    }
  })
  onTestFinished(async () => {
    const violations = (await Promise.all(judgements)).flat()
    await stop()
    violations.push(...streamJudgements.flatMap((judgeStream) => judgeStream()))
    expect(violations, 'responses keep the contract').toEqual([])
  })

  /** Sends a request, and judges its response by the description, in code that the service does not share. */
  async function judgedFetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const { method } = request
    const path = pathname + search
    const response = await fetch(request)
    const { status, headers } = response
    // A description does not have the preflight requests of browsers (Fetch, section 3.3.3).
    const isPreflight = request.headers.has('access-control-request-method')
    // The responses of an upstream may differ from the description: a service is put before it to find that.
    if (isPreflight || config.upstream.url !== '') {
      return response
    }

    const judge = (body: string) => {
      const violations = check({ method, path }, { status, headers, body })
      return violations.map((violation) => `${method} ${path}: ${violation}`)
    }
    if (isStream(headers.get('Content-Type') ?? '') && response.body !== null) {
      const { body, received } = recordBody(response.body)
      streamJudgements.push(() => judge(received()))
      return new Response(body, { status, headers })
    }

    const reading = response.clone().text()
    // A response that was cut off cannot be judged.
    judgements.push(reading.then(judge, () => []))
    return response
  }

  /** Makes another key. */
  async function issue(terms?: Partial<Parameters<typeof issueKey>[0]>) {
    const { key, record } = issueKey({ ...roomy, ...terms })
    await store.keys.add(record)
    return { key, id: record.id }
  }
  const { key: apiKey } = await issue()

  /** Sends a request to a path under the origin, with the key. */
  function send(path: string, { key = apiKey, json, headers: added, ...init }: Init = {}) {
    const body = typeof json === 'string' ? json : JSON.stringify(json)
    const content = body !== undefined && { method: 'POST', body }
    const headers = {
      ...(key !== '' && { Authorization: `Bearer ${key}` }),
      ...(content && { 'Content-Type': 'application/json' }),
      ...added,
    }
    return judgedFetch(new Request(service.origin + path, { ...content, ...init, headers }))
  }

  const baseUrl = service.origin + api.basePath
  return {
    origin: service.origin,
    /** The operations without a handler. */
    unimplemented: service.unimplemented,
    /** Where the contract's paths begin. */
    baseUrl,
    store,
    /** Where the store is kept. */
    db,
    /** A valid key with limits that no test reaches by accident. */
    apiKey,
    /** The `fetch` of a client: its responses are judged, too. */
    judgedFetch,
    /** Where its metrics are, when `OPS_PORT` asks for them. */
    metricsUrl: service.metricsUrl ?? '',
    /** The line of the log that each request got, as objects. */
    requestLines,
    /** What else the service wrote to its log. */
    logged,
    send,
    /** Sends a request as `send` does; returns the response as one object. */
    async ask(path: string, init?: Init) {
      const response = await send(path, init)
      const { status, headers } = response
      return merge({ status, headers: Object.fromEntries(headers), body: await response.text() })
    },
    issue,
    stop,
  }
}

/** Returns the body of a stream, and a function that returns what was read of it. */
function recordBody(body: ReadableStream<Uint8Array>) {
  const chunks: Uint8Array[] = []
  const record = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      chunks.push(chunk)
      controller.enqueue(chunk)
    },
  })
  const received = () => Buffer.concat(chunks).toString()
  return { body: body.pipeThrough(record), received }
}
