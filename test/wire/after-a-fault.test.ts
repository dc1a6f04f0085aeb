import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { answersIn } from '../support/answers.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** The head of a create, with a key and further fields. */
function createHead({ apiKey }: TestService, ...fields: readonly string[]): string {
  const known = ['Host: a', `Authorization: Bearer ${apiKey}`, 'Content-Type: application/json']
  return `${['POST /v1/pets HTTP/1.1', ...known, ...fields].join('\r\n')}\r\n\r\n`
}

test('what comes after a fault changes nothing, also while the answer before it is made', async () => {
  const place = await createSqlitePlace()
  const service = await startTestService({}, place)
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const unblock = await place.blockWriters()
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
  const create = createHead(service, `Content-Length: ${body.length}`) + body
  const more = Array.from({ length: 20 }, () => [5, 'x']).flat()
  const exchange = exchangeBytes(service.origin, `${create}nonsense\r\n\r\n`, ...more)
  await wait(300)
  await unblock()
  expect(answersIn((await exchange).text).map(({ status }) => status)).toEqual([201, 400])
  expect(service.requestLines.map(({ status }) => status).sort()).toEqual([201, 400])
  expect(warnings).toEqual([])
})

test('a fault in content is answered under the id of its request', async () => {
  const service = await startTestService()
  const head = createHead(service, 'Transfer-Encoding: chunked', 'X-Request-Id: my-create')
  const answer = await exchangeBytes(service.origin, `${head}1\r\n{\r\n`, 50, 'zz\r\n')
  expect(answer).toMatchObject({ status: 400, headers: { 'x-request-id': 'my-create' } })
  await expect
    .poll(() => service.requestLines.map(({ requestId, status }) => [requestId, status]))
    .toEqual([
      ['my-create', 400],
      ['my-create', undefined],
    ])
})
