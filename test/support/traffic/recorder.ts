import { appendFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, inject } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createSample } from './sample.ts'
import { hideKeys, withoutSecrets } from './secrets.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which each worker keeps what the tests asked and were answered. */
    trafficFolder: string | undefined
  }
}

const project = resolve(import.meta.dirname, '../../..')
const sample = createSample()
const pending = new Set<Promise<void>>()

/** What a recorder has to be told, because a request does not show it. */
export interface Circumstances {
  readonly isStreamed?: boolean
  readonly waived?: readonly string[]
}

/**
 * Keeps an exchange for the end of the run, unless enough of its kind are kept. `sent` is a clone
 * of the request from before it was sent.
 */
export function record(sent: Request, response: Response, circumstances?: Circumstances): void {
  const folder = inject('trafficFolder')
  if (folder === undefined || !sample.wants(sent.method, sent.url, sent.headers, response.status)) {
    return
  }
  const answer = response.clone()
  const keeping = keep(folder, sent, answer, circumstances).finally(() => pending.delete(keeping))
  pending.add(keeping)
}

/** Waits until what was recorded is in its file. */
export async function allRecorded(): Promise<void> {
  await Promise.all(pending)
}

async function keep(
  folder: string,
  sent: Request,
  answer: Response,
  { isStreamed = false, waived = [] }: Circumstances = {},
): Promise<void> {
  const { currentTestName = '', testPath = '' } = expect.getState()
  const wanted = [answer.ok && !isStreamed ? sent.text() : '', answer.text()] as const
  // An exchange that was cut off has nothing to be judged.
  const texts = await Promise.all(wanted).catch(() => undefined)
  if (texts === undefined) return
  const [requestBody, body] = texts
  const exchange: Exchange = {
    test: `${relative(project, testPath)} > ${currentTestName}`,
    method: sent.method,
    url: sent.url,
    requestHeaders: withoutSecrets(sent.headers),
    ...(requestBody === '' ? {} : { requestBody }),
    isRequestWhole: !isStreamed && !sent.headers.has('content-encoding'),
    status: answer.status,
    headers: withoutSecrets(answer.headers),
    body,
    waived,
  }
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${hideKeys(JSON.stringify(exchange))}\n`)
}
