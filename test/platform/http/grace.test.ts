import { once } from 'node:events'
import { expect, test } from 'vitest'
import { respond } from '../../../server/contract/handler-response.ts'
import { openSocket } from '../../helpers/raw.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

test('requests that are cut off at the end of the grace have a line each, which says so', async () => {
  async function* download() {
    yield Buffer.from('a')
    await new Promise(() => undefined)
  }
  const never = () => new Promise<never>(() => undefined)
  const rows: readonly SmallOperation[] = [
    { method: 'get', path: '/slow', handler: never },
    {
      method: 'get',
      path: '/download',
      response: { content: { 'image/png': {} } },
      handler: () => respond(200, download()),
    },
    { method: 'get', path: '/quick', handler: () => respond(200) },
  ]
  const service = await startServiceOf(createSmallApi(rows, {}), { SHUTDOWN_GRACE_SECONDS: '1' })
  const { origin, apiKey, requestLines } = service
  const fields = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
  for (const path of ['/slow', '/download']) {
    openSocket(origin).write(`GET /v1${path} HTTP/1.1\r\n${fields}`)
  }
  const left = openSocket(origin)
  left.write(`GET /v1/slow HTTP/1.1\r\n${fields}`)
  await once(left, 'connect')
  expect((await service.send('/v1/quick')).status).toBe(200)
  left.destroy()
  await expect.poll(() => requestLines).toHaveLength(2)

  await service.stop()
  const [, ofLeft, ...cutOff] = requestLines
  expect(ofLeft).toMatchObject({ msg: 'request aborted', operationId: 'operation0' })
  expect(ofLeft).not.toHaveProperty('abortedBy')
  const line = { msg: 'request aborted', abortedBy: 'shutdown' }
  expect(cutOff).toHaveLength(2)
  expect(cutOff).toContainEqual(expect.objectContaining({ ...line, path: '/v1/slow' }))
  const ofDownload = { ...line, path: '/v1/download', status: 200, bytes: 1 }
  expect(cutOff).toContainEqual(expect.objectContaining(ofDownload))
})
