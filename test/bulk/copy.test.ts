import { expect, test } from 'vitest'
import { issueKey } from '../../server/access/issue.ts'
import type { Store } from '../../server/store/store.ts'
import { engines } from '../support/places/engines.ts'
import { openAt, type Place } from '../support/places/place.ts'
import { startTestService } from '../support/service.ts'
import { runCopy } from './commands.ts'
import { contentOf } from './files.ts'

const directions = engines.flatMap((from) => engines.map((to) => ({ from, to })))

const whole = /^The copy is whole\. /m

function addOnce({ animals }: Store, key: string, name: string, lasting = 3_600_000) {
  const expiresAt = Date.now() + lasting
  return animals.add(
    { name, categoryId: 1 },
    { callerId: 'key_x', key, fingerprint: name, expiresAt },
  )
}

const terms = {
  name: undefined,
  plan: 'pro',
  perMinute: 5,
  perDay: 10,
  expiresAt: undefined,
} as const

async function fill(place: Place): Promise<void> {
  const store = await openAt(place)
  for (let number = 0; number < 2_100; number++) {
    await store.animals.add({ name: `animal ${number}, "🦊"`, categoryId: -number })
  }
  await addOnce(store, 'é "quoted"', 'Rex')
  await addOnce(store, 'over', 'Mia', -1)
  const { record } = issueKey(terms)
  await store.keys.add(record)
  await store.usage.add([{ keyId: record.id, day: 20_000, requests: 3, lastUsedAt: 1 }])
  await place.deleteAnimal(7)
}

test.for(directions)(
  'all of a store is copied from $from.name to $to.name',
  async ({ from, to }) => {
    const [source, target] = [await from.createPlace(), await to.createPlace()]
    await fill(source)
    const ended = await runCopy(source, target)
    expect(ended).toMatchObject({ status: 0, complaint: '' })
    expect(ended.output).toMatch(whole)
    const sums = [...ended.output.matchAll(/(?:source|target) {2}rows ([\d,]+ {2}SHA-256 \w+)$/gm)]
    const [ours, theirs] = [0, 1].map((side) =>
      sums.map(([, sum]) => sum).filter((_, n) => n % 2 === side),
    )
    expect(ours).toEqual(theirs)
    expect(ours?.map((sum) => sum?.split(' ')[0])).toEqual(['2,101', '1', '1', '1', '0'])

    const store = await openAt(target)
    expect(await contentOf(store)).toEqual(await contentOf(await openAt(source)))
    expect(await addOnce(store, 'é "quoted"', 'Rex')).toMatchObject({
      kind: 'repeated',
      animal: { id: 2_101 },
    })
    expect(await addOnce(store, 'over', 'Tom')).toMatchObject({
      kind: 'added',
      animal: { id: 2_103 },
    })
    const { record } = issueKey(terms)
    await store.keys.add(record)
    const { digests } = await store.keys.digestsAfter(1, 10)
    expect(digests.map((digest) => Buffer.from(digest))).toEqual([Buffer.from(record.digest)])
  },
)

test.for(directions)(
  'callers of $from.name notice nothing when $to.name takes over',
  async ({ from, to }) => {
    const [source, target] = [await from.createPlace(), await to.createPlace()]
    const old = await startTestService({}, source)
    const { key } = await old.issue()
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const create = { method: 'POST', headers: { ...headers, 'Idempotency-Key': 'once' } }
    const body = '{"name":"Rex","categoryId":7}'
    await old.send('/v1/pets', { ...create, body })
    for (let more = 0; more < 3; more++)
      await old.send('/v1/pets', { method: 'POST', headers, body })
    const link = (await old.send('/v1/pets?limit=2', { headers })).headers.get('link')
    const [, next = ''] = /<(.*)>/.exec(link ?? '') ?? []
    await old.stop()

    expect(await runCopy(source, target)).toMatchObject({ status: 0 })
    const fresh = await startTestService({}, target)
    const again = await fresh.send('/v1/pets', { ...create, body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.json()).toMatchObject({ id: 1 })
    const page = await fresh.send(next, { headers })
    expect(await page.json()).toMatchObject([{ id: 3 }, { id: 4 }])
    const added = await fresh.send('/v1/pets', { method: 'POST', headers, body })
    expect(await added.json()).toMatchObject({ id: 5 })
  },
)
