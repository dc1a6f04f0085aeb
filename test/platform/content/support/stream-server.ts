import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../../../server/config.ts'
import { respond } from '../../../../server/contract/handler-response.ts'
import { createLog } from '../../../../server/ops/log.ts'
import { issueKey } from '../../../../server/security/api-key.ts'
import { startService } from '../../../../server/service.ts'
import { openStore } from '../../../../server/store/store.ts'
import { createStreamApi } from './streams.ts'

// A process that sends streams of lines: the service, or a bare loop of writes. It is started by `fork`: its
// first message has the origin and the headers of requests, and every message gets its memory as the response.

/** The lines of a stream: 10 MB in all. */
const lines = 10_000
const note = 'a'.repeat(980)

const kind = process.argv[2]
const { origin, headers, stop } = kind === 'service' ? await startStreams() : await startBare()

process.on('message', () => {
  void globalThis.gc?.()
  process.send?.(process.memoryUsage())
})
process.once('SIGTERM', async () => {
  await stop()
  process.disconnect?.()
})
process.send?.({ origin, headers })

async function startStreams() {
  async function* items() {
    for (let cents = 0; cents < lines; cents++) {
      yield { cents, note }
    }
  }
  const api = createStreamApi([['lines', () => respond(200, items())]])
  const config = readConfig({ PORT: '0', OPS_PORT: 'off', ...process.env })
  const store = await openStore('sqlite::memory:', api.schema)
  const log = createLog('warn')
  const service = await startService(config, store, log, { api })
  const plan = { name: undefined, plan: 'custom', expiresAt: undefined }
  const { key, record } = issueKey({ ...plan, perMinute: 1e6, perDay: 1e6 })
  await store.keys.add(record)
  const headers = { Authorization: `Bearer ${key}` }
  const stop = async () => {
    await service.stop()
    await store.close()
  }
  return { origin: service.origin, headers, stop }
}

async function startBare() {
  const server = createServer(async (_request, response) => {
    response.on('error', () => undefined)
    response.writeHead(200, { 'Content-Type': 'application/jsonl' })
    for (let cents = 0; cents < lines && !response.destroyed; cents++) {
      if (!response.write(`${JSON.stringify({ cents, note })}\n`)) {
        await once(response, 'drain').catch(() => undefined)
      }
    }
    response.end()
  })
  server.timeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => server.closeAllConnections()
  return { origin: `http://127.0.0.1:${port}`, headers: {}, stop }
}
