import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Api } from '../../../server/api.ts'
import { sampled } from '../../../server/contract/handler.ts'
import { startTestService, type TestService } from '../service.ts'
import { type Case, casesOf, caseViolations } from './cases.ts'
import { type Description, type Operation, parseJson, readDescription } from './description.ts'
import { toRequest } from './requests.ts'

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const safe = ['GET', 'HEAD', 'OPTIONS']

/** Tests that a service accepts what its description allows, and nothing else. */
export function testConformance(api: Api): void {
  const description = readDescription(api.description)
  test.for(description.operations)(
    '$operationId accepts valid requests and rejects each violation',
    { timeout: 120_000 },
    async (operation) => {
      const environment = { ANONYMOUS_PER_MINUTE: '1000000' }
      const service = await startTestService(environment, undefined, {}, api)
      const handlers = api.createHandlers({ store: service.store, idempotencyHours: 1 })
      const isSampled = handlers[operation.operationId] === sampled
      expect(await findViolations(service, description, operation, isSampled)).toEqual([])
    },
  )
}

/** Runs the cases of an operation; returns a report of the first failure of each check. */
async function findViolations(
  service: TestService,
  description: Description,
  operation: Operation,
  isSampled: boolean,
): Promise<string[]> {
  const isSafe = safe.includes(operation.method)
  const reports = new Map<string, string>()
  async function run(cases: readonly Case[]): Promise<void> {
    for (const one of cases) {
      const { path, ...request } = toRequest(description, one.draft)
      const key = one.isAnonymous ? '' : service.apiKey
      const response = await service.send(path, { ...request, key })
      const { status } = response
      const found = caseViolations(one, isSampled, { status, body: await response.text() })
      if (found.length === 0 || reports.has(one.check)) continue
      const shown = JSON.stringify({ path, ...request }).slice(0, 1_000)
      reports.set(one.check, [`${one.check}:`, ...found, shown].join('\n  '))
    }
  }
  const { accepted, rejected } = casesOf(description, operation)
  if (accepted.length === 0) return [`no valid request to ${operation.path} can be made`]
  const before = await readLists(service, description)
  await run(isSafe ? [...rejected, ...accepted] : rejected)
  const isUnchanged = isDeepStrictEqual(await readLists(service, description), before)
  if (!isUnchanged) reports.set('change', 'safe or rejected requests change what is stored')
  if (!isSafe) await run(accepted)
  return [...reports.values()]
}

/** Returns every list that clients can read without parameters. */
async function readLists(service: TestService, description: Description): Promise<unknown[]> {
  const lists: unknown[] = []
  for (const { method, path, parameters } of description.operations) {
    if (method !== 'GET' || parameters.some(({ isRequired }) => isRequired)) continue
    const response = await service.send(description.basePath + path)
    const body = parseJson(await response.text())
    if (Array.isArray(body)) lists.push(body)
  }
  return lists
}
