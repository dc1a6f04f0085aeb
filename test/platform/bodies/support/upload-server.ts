import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readConfig } from '../../../../server/config.ts'
import type { UploadedFile } from '../../../../server/contract/content.ts'
import type { CallableHandler } from '../../../../server/contract/handler.ts'
import { createLog } from '../../../../server/ops/log.ts'
import { issueKey } from '../../../../server/security/api-key.ts'
import { startService } from '../../../../server/service.ts'
import { openStore } from '../../../../server/store/store.ts'
import { createSmallApi, type SmallOperation } from '../../validation/support/small-api.ts'

// A program that serves operations with large bodies, and says how much memory it takes.

let peak = 0
const sample = () => {
  peak = Math.max(peak, process.memoryUsage.rss())
}
setInterval(sample, 10).unref()

/** Returns the memory that was taken at most since it was asked before. */
const takePeak: CallableHandler = (_input, { respond }) => {
  sample()
  const taken = peak
  peak = 0
  return respond(200, { peak: taken })
}

async function countBytes(stream: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  const count = new Writable({
    write(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done()
    },
  })
  await pipeline(stream, count)
  return size
}

const receiveBytes: CallableHandler = async ({ body }, { respond }) => {
  return respond(200, { size: await countBytes(body as AsyncIterable<Buffer>) })
}

const receiveFile: CallableHandler = async ({ body }, { respond }) => {
  const { file } = body as { readonly file: UploadedFile }
  return respond(200, { size: await countBytes(file.stream()) })
}

const bytes = { 'application/octet-stream': {} }
const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } }
const form = { 'multipart/form-data': { schema } }

function upload(path: string, content: object, handler: CallableHandler, maxBytes: number) {
  const requestBody = { required: true, 'x-max-bytes': maxBytes, content }
  const response = { content: { 'application/json': {} } }
  return { method: 'post', path, requestBody, response, handler } satisfies SmallOperation
}

const [small, large] = [1_000_000, 2_000_000_000]
const api = createSmallApi(
  [
    {
      method: 'get',
      path: '/peak',
      response: { content: { 'application/json': {} } },
      handler: takePeak,
    },
    upload('/small/bytes', bytes, receiveBytes, small),
    upload('/small/multipart', form, receiveFile, small),
    upload('/large/bytes', bytes, receiveBytes, large),
    upload('/large/multipart', form, receiveFile, large),
  ],
  {},
)

const config = readConfig({ PORT: '0', OPS_PORT: 'off', RATE_LIMITS: 'off', ...process.env })
const log = createLog('warn', process.stderr)
const store = await openStore(config.databaseUrl, api.schema)
const { key, record } = issueKey({
  name: undefined,
  plan: 'custom',
  perMinute: 1e6,
  perDay: 1e6,
  expiresAt: undefined,
})
await store.keys.add(record)
const { origin } = await startService(config, store, log, { api })
console.log(JSON.stringify({ origin, key }))
