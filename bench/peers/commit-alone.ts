// The service with a store that commits each write by itself: what shared commits are compared with.

import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/ops/log.ts'
import { readServedApi } from '../../server/served-api.ts'
import { startService } from '../../server/service.ts'
import type { Engine } from '../../server/store/engine.ts'
import { createStore, openStore } from '../../server/store/store.ts'

const config = readConfig(process.env)
const { database, secret } = await openStore(config.databaseUrl, readServedApi().schema)
let last: Promise<unknown> = Promise.resolve()
const alone: Engine = {
  ...database,
  write<Row>(...queries: Parameters<Engine['write']>) {
    const written = last.then(() => database.write<Row>(...queries))
    last = written.catch(() => undefined)
    return written
  },
}
const store = createStore(alone, secret)
const { origin } = await startService(config, store, createLog(config.logLevel))
console.log(origin)
