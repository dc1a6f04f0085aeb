import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { engines } from '../support/places/engines.ts'
import { openAt } from '../support/places/place.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { connect, whyNoPostgres } from '../support/places/postgres-server.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startTestService } from '../support/service.ts'
import { runCopy, runImport, startCopy } from './commands.ts'
import { allAnimals, allNames, contentOf, firstAnimalIn, manyNames, writeTable } from './files.ts'

const twoWays = engines.map((to, index) => ({ from: engines.at(index - 1) ?? to, to }))

test.for(twoWays)(
  'a copy from $from.name to $to.name that is killed goes on when it is run again',
  async ({ from, to }) => {
    const [source, target] = [await from.createPlace(), await to.createPlace()]
    const names = manyNames(20_000)
    await runImport(source, writeTable(names))
    const copy = await openAt(target)
    const first = startCopy(source, target)
    await firstAnimalIn(copy)
    expect(await first.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    expect((await allNames(copy)).length).toBeLessThan(names.length)
    expect(await runCopy(source, target)).toMatchObject({ status: 0 })
    expect(await allAnimals(copy)).toEqual(await allAnimals(await openAt(source)))
  },
)

test.for(twoWays)(
  'a copy from $from.name in service to $to.name lacks nothing from before it, and one more lacks nothing',
  async ({ from, to }) => {
    const [source, target] = [await from.createPlace(), await to.createPlace()]
    await runImport(source, writeTable(manyNames(5_000)))
    const { client, issue, store, stop } = await startTestService({}, source)
    let isWriting = true
    const added: number[] = []
    async function write(writer: number): Promise<void> {
      for (let turn = 0; isWriting; turn++) {
        const name = `writer ${writer}, ${turn}`
        // The client sends an idempotency key with each.
        const { id } = await client.createPet({ name, categoryId: 1 })
        added.push(id)
      }
    }
    const writers = [1, 2, 3].map(write)
    while (added.length < 10) await wait(1)
    const { id: keyId } = await issue()
    const before = [...added]
    expect(await runCopy(source, target)).toMatchObject({ status: 0 })
    const copy = await openAt(target)
    const ids = new Set((await allAnimals(copy)).map(({ id }) => id))
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    isWriting = false
    await Promise.all(writers)
    expect(added.length).toBeGreaterThan(before.length)

    await store.keys.revoke(keyId, 1)
    await stop()
    expect(await runCopy(source, target)).toMatchObject({ status: 0 })
    const old = await openAt(source)
    expect(await contentOf(copy)).toEqual(await contentOf(old))
  },
)

test('an animal that comes to light after one with a higher id is not forgotten', async ({
  skip,
}) => {
  skip(whyNoPostgres !== undefined, whyNoPostgres)
  const [source, target] = [await createPostgresPlace(), await createSqlitePlace()]
  const old = await openAt(source)
  const add = (name: string) => old.animals.add({ name, categoryId: 1 })
  await add('first')
  const slow = await connect(source.url)
  await slow.query(`BEGIN; INSERT INTO animals (name, category_id) VALUES ('slow', 1)`)
  await add('third')
  expect(await runCopy(source, target)).toMatchObject({ status: 0 })
  const copy = await openAt(target)
  expect(await allNames(copy)).toEqual(['first', 'third'])
  await slow.query('COMMIT')
  await slow.end()
  expect(await runCopy(source, target)).toMatchObject({ status: 0 })
  expect(await allNames(copy)).toEqual(['first', 'slow', 'third'])
})
