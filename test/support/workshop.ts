import { createServer } from 'node:http'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createApp } from '../../server/app.ts'
import { createWriter } from '../../server/contract/answer/writer.ts'
import { createContract } from '../../server/contract/contract.ts'
import type { ContractOptions } from '../../server/contract/description/contract-options.ts'
import { createCrossOrigin } from '../../server/contract/request/cross-origin.ts'

import type { Watcher } from '../../server/ops/watched.ts'
import { loadChecks, printChecks } from './compiled-validators.ts'
import { description, operations } from './workshop-description.ts'

export type Handlers = ContractOptions['handlers']

export const echo: Handlers[string] = (input) => ({ status: 200, body: input })
export const handlers: Handlers = {
  listTools: () => ({ status: 200, body: ['saw'], headers: { 'X-Count': 1 } }),
  allTools: () => ({ status: 200, body: 'all' }),
  getTool: echo,
  getPart: echo,
}

const validators = loadChecks(printChecks(description))

/** Serves the description with some handlers, to whoever sends any credential, under its name. */
export async function serveWorkshop(
  own: Handlers = {},
  responseValidation: 'strict' | 'log' = 'strict',
  watchers: readonly Watcher[] = [],
) {
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) })
  const contract = await createContract({
    description,
    isLinted: false,
    operations,
    basePath: '',
    validators: await validators,
    handlers: { ...handlers, ...own },
    authenticates: { badge: { type: 'http', scheme: 'bearer' } },
    waivedHeaders: [],
  })
  const app = createApp({
    contract,
    admit: async ({ credentials }) => ({
      headers: {},
      ...(credentials === undefined ? {} : { callerId: credentials.join() }),
    }),
    crossOrigin: createCrossOrigin([], description, operations),
    pages: {},
    send: createWriter({
      log,
      checks: contract.checkReply,
      responseValidation,
      isDraining: () => false,
    }),
    log,
    trustProxy: 0,
    watchers,
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const headers = { Authorization: 'Bearer badge' }
  const get = (path: string, more: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { ...headers, ...more } })
  return { logged, get }
}
