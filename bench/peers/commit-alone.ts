// The service with a store that commits each create by itself: what shared commits are compared with.
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/ops/log.ts'
import { startService } from '../../server/service.ts'
import { openStore } from '../../server/store/store.ts'

const config = readConfig(process.env)
const store = await openStore(config.databaseUrl)
let last: Promise<unknown> = Promise.resolve()
const pets: typeof store.pets = {
  ...store.pets,
  add(pet, once) {
    const added = last.then(() => store.pets.add(pet, once))
    last = added.catch(() => undefined)
    return added
  },
}
const { origin } = await startService(config, { ...store, pets }, createLog(config.logLevel))
console.log(origin)
