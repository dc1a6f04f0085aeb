// The service on a store that commits each create by itself, to see what it gains by committing
// together those that wait.
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/ops/log.ts'
import { startService } from '../../server/service.ts'
import type { PetStore } from '../../server/store/pet-store.ts'
import { openStore } from '../../server/store/store.ts'
import { tell } from './listening.ts'

const config = readConfig(process.env)
const store = await openStore(config.databaseUrl)
const pets = oneAtATime(store.pets)
const { origin } = await startService(config, { ...store, pets }, createLog(config.logLevel))
tell(origin)

/** Begins an addition when the one before is on the disk. */
function oneAtATime(pets: PetStore): PetStore {
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...pets,
    add(animal, once) {
      const added = last.then(() => pets.add(animal, once))
      last = added.catch(() => undefined)
      return added
    },
  }
}
