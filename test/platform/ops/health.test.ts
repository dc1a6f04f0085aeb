import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startFixtureService } from '../../helpers/fixture-service.ts'

test('/readyz asks the store, and never twice at the same time, however many clients ask', async () => {
  const { store, origin } = await startFixtureService()
  let [pings, running, most] = [0, 0, 0]
  Object.assign(store, {
    async ping() {
      pings++
      running++
      most = Math.max(most, running)
      await wait(20)
      running--
    },
  })
  const asked = Array.from({ length: 50 }, () => fetch(`${origin}/readyz`))
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  expect(most).toBe(1)
  const before = pings
  await fetch(`${origin}/readyz`)
  expect(pings).toBe(before + 1)
})
