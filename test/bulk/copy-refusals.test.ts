import { expect, test } from 'vitest'
import { copyAll } from '../../server/bulk/copy/copy-all.ts'
import { idempotencyKeys } from '../../server/store/copy/copied-tables.ts'
import type { Store } from '../../server/store/store.ts'
import { engines } from '../support/places/engines.ts'
import { openAt } from '../support/places/place.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { runCopy } from './commands.ts'
import { allAnimals, contentOf } from './files.ts'

test.for(engines)(
  'a store in $name that holds other data is left as it is',
  async ({ createPlace }) => {
    const source = await createSqlitePlace()
    await (await openAt(source)).animals.add({ name: 'Rex', categoryId: 1 })
    const filled = await createPlace()
    const store = await openAt(filled)
    await store.animals.add({ name: 'Mia', categoryId: 1 })
    const before = await contentOf(store)
    const complaint = 'The target holds other data. Name an empty store.\n'
    expect(await runCopy(source, filled)).toMatchObject({ status: 1, output: '', complaint })
    expect(await contentOf(await openAt(filled))).toEqual(before)
  },
)

test.for(engines)(
  'a copy in $name that was in service is not mixed with its source',
  async ({ createPlace }) => {
    const [source, target] = [await createSqlitePlace(), await createPlace()]
    const old = await openAt(source)
    await old.animals.add({ name: 'Rex', categoryId: 1 })
    expect(await runCopy(source, target)).toMatchObject({ status: 0 })
    const fresh = await openAt(target)
    await fresh.animals.add({ name: 'of the target', categoryId: 1 })
    const other = /^The target holds other data than the source: animals, id 2\. .*\n$/
    expect((await runCopy(source, target)).complaint).toMatch(other)
    await old.animals.add({ name: 'of the source', categoryId: 1 })
    const ended = await runCopy(source, target)
    expect(ended).toMatchObject({ status: 1, output: '' })
    expect(ended.complaint).toMatch(other)
    expect((await allAnimals(fresh)).map(({ name }) => name)).toEqual(['Rex', 'of the target'])
  },
)

const besides: Readonly<Record<string, (target: Store) => Promise<unknown>>> = {
  key_usage: ({ usage }) =>
    usage.add([{ keyId: 'key_of_target', day: 20_000, requests: 1, lastUsedAt: 1 }]),
  imports: ({ imports }) => imports.begin('of the target'),
  async idempotency_keys({ copies }) {
    const [row] = await copies.page(idempotencyKeys, undefined)
    if (row !== undefined) await copies.put(idempotencyKeys, [['key_of_target', ...row.slice(1)]])
  },
}

test.for(engines)(
  'a copy in $name is refused that has rows of its own, whatever they are of',
  async ({ createPlace }) => {
    for (const [table, add] of Object.entries(besides)) {
      const [source, target] = [await createSqlitePlace(), await createPlace()]
      const once = { callerId: 'key_x', key: 'a', fingerprint: 'x', expiresAt: Date.now() + 1e6 }
      await (await openAt(source)).animals.add({ name: 'Rex', categoryId: 1 }, once)
      expect(await runCopy(source, target)).toMatchObject({ status: 0 })
      await add(await openAt(target))
      const ended = await runCopy(source, target)
      expect(ended, table).toMatchObject({ status: 1, output: '' })
      expect(ended.complaint).toMatch(`other data than the source: ${table}, 1 more. `)
    }
  },
)

test.for(engines)(
  'whoever adds to half a copy in $name meets no id that is taken',
  async ({ createPlace }) => {
    const [source, target] = [await createSqlitePlace(), await createPlace()]
    const [from, to] = [await openAt(source), await openAt(target)]
    for (let number = 0; number < 1_100; number++) {
      await from.animals.add({ name: `animal ${number}`, categoryId: 1 })
    }
    const stopped = new Error('Stopped.')
    const tell = (): never => {
      throw stopped
    }
    const half = copyAll({ source: from.copies, target: to.copies, tell })
    await expect(half).rejects.toBe(stopped)
    const { length } = await allAnimals(to)
    expect(length).toBe(1_000)
    const added = await to.animals.add({ name: 'of the target', categoryId: 1 })
    expect(added).toMatchObject({ kind: 'added' })
  },
)

test('a copy that is typed wrong is one line without a password, and makes no file', async () => {
  const place = await createSqlitePlace()
  const wrong: readonly (readonly [number, RegExp, string, string])[] = [
    [2, /^Name two stores: /, place.url, place.url],
    [
      2,
      /^--from is "mysql:\/\/\*\*\*@host\/db"\. Allowed: /,
      'mysql://me:s3cret@host/db',
      place.url,
    ],
    [2, /^--to is "sqlite::memory:"\. Allowed: /, place.url, 'sqlite::memory:'],
    [1, /^There is no database .*store\.sqlite to copy\. /, place.url, 'sqlite:/tmp/none.sqlite'],
    [
      1,
      /^Cannot open PostgreSQL at 127\.0\.0\.1:1, database x: /,
      'postgres://me:s3cret@127.0.0.1:1/x',
      place.url,
    ],
  ]
  for (const [status, complaint, from, to] of wrong) {
    const ended = await runCopy({ url: from }, { url: to })
    expect(ended, complaint.source).toMatchObject({ status, output: '' })
    expect(ended.complaint).toMatch(complaint)
    expect(ended.complaint.trimEnd()).not.toMatch(/\n|s3cret/)
  }
})
