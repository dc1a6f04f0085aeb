import { expect, test } from 'vitest'
import { pagePrefixOf } from '../../../server/description/platform-paths.ts'
import { readServedApi } from '../../../server/served-api.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { readKeptStores } from './kept-stores.ts'
import { openKeptPostgres, openKeptSqlite } from './open-kept-store.ts'

test('the service opens every store that a release has kept', { timeout: 300_000 }, async () => {
  for (const store of readKeptStores()) {
    for (const db of [await openKeptSqlite(store), await openKeptPostgres(store)]) {
      const api = readServedApi()
      const service = await startServiceOf(api, {}, db)
      const path = `${pagePrefixOf(api.settings)}/readyz`
      expect((await service.send(path)).status, store.version).toBe(200)
      await service.stop()
    }
  }
})
