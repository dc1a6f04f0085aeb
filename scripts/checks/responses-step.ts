import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { toSegments } from '../diff/pointer.ts'
import type { JsonObject } from '../pipeline/description.ts'
import { projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { overloadOf, type Sample, samplesOf } from './response-samples.ts'
import { createResponseCheck, unsentStatuses } from './response-violations.ts'
import {
  type Received,
  type SampledOptions,
  type SampledService,
  startSampled,
} from './sampled-service.ts'
import type { Step } from './step.ts'

/**
 * Starts the service and validates a sample of each response that it makes itself; the signal ends it
 * early.
 */
export function responsesStep(
  program = 'server/main.ts',
  signal = new AbortController().signal,
): Step {
  return {
    name: 'responses that the service makes itself',
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'responses-'))
      const store = join(folder, 'store.sqlite')
      try {
        const description = await readFile(projectPath('generated/openapi.json'), 'utf8')
        return await checkResponses({ program, store, signal }, JSON.parse(description))
      } catch (error) {
        return (error instanceof Error ? error.message : String(error)).split('\n')
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function checkResponses(
  options: Omit<SampledOptions, 'anonymousPerMinute'>,
  root: JsonObject,
): Promise<readonly string[]> {
  const { store } = options
  const samples = samplesOf(root)
  const anonymousPerMinute = samples.filter(({ status }) => status === 401).length
  const service = await startSampled({ ...options, anonymousPerMinute })
  try {
    const violationsOf = createResponseCheck(root)
    const found = new Map<string, string[]>()
    const check = (sample: Sample, received: Received) => {
      const [line = ''] = sample.bytes.split(/ HTTP|\r\n/)
      const name = `in the ${received.status} to ${line.slice(0, 60)}`
      for (const { pointer, message } of violationsOf(sample, received)) {
        found.set(pointer, [...(found.get(pointer) ?? []), `${message}, ${name}`])
      }
    }
    for (const sample of samples) check(sample, await sendOverLimit(service, sample))
    const overload = existsSync(store) ? overloadOf(root) : undefined
    if (overload !== undefined) check(overload, await sendLocked(service, store, overload.bytes))
    for (const { pointer, message } of unsentStatuses(root, samples)) found.set(pointer, [message])
    return await describe(found)
  } finally {
    await service.stop()
  }
}

/** Sends a sample; one that is to be 429 until it is, since a window may end in between. */
async function sendOverLimit({ send }: SampledService, { status, bytes }: Sample) {
  let received = await send(bytes)
  for (let tries = 0; tries < 10 && status === 429 && received.status === 401; tries++) {
    received = await send(bytes)
  }
  return received
}

/** Sends a request that writes twice while the store is locked: the second waits for too long. */
async function sendLocked({ send }: SampledService, store: string, bytes: string) {
  const database = new DatabaseSync(store)
  database.exec('BEGIN IMMEDIATE')
  try {
    return await Promise.any([send(bytes), send(bytes)])
  } finally {
    database.close()
  }
}

/** A line for each place in the description, with the first of the responses that violate it. */
async function describe(found: ReadonlyMap<string, readonly string[]>) {
  const lineCounter = new LineCounter()
  const spec = parseDocument(await readFile(projectSpec, 'utf8'), { lineCounter })
  return [...found].map(([pointer, [first, ...others]]) => {
    const node = spec.getIn(follow(spec, toSegments(pointer)), true)
    const { line, col } = lineCounter.linePos((isNode(node) ? node.range?.[0] : undefined) ?? 0)
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return `${shortPath(projectSpec)}:${line}:${col} service-responses ${first}${more}`
  })
}

/** Where keys of the compiled description are in the spec, which may have a reference in between. */
function follow(spec: Document, segments: readonly string[]): readonly string[] {
  let path: string[] = []
  for (const segment of segments) {
    const target = spec.getIn([...path, '$ref'])
    if (typeof target === 'string') path = [...toSegments(target)]
    path.push(segment)
  }
  return path
}
