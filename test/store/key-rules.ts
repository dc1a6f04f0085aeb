import { expect } from 'vitest'
import { issueKey } from '../../server/access/issue.ts'
import type { KeyRecord } from '../../server/store/key-store.ts'
import { openAt } from '../support/places/place.ts'
import type { StoreRules } from './store-rules.ts'

function recordOf(changes: Partial<KeyRecord> = {}): KeyRecord {
  const terms = { name: undefined, plan: 'free', perMinute: 60, perDay: 1000, expiresAt: undefined }
  return { ...issueKey(terms).record, ...changes }
}

/** What any engine must do with API keys, and with the secret that instances share. */
export const keyRules: StoreRules = {
  async 'API keys are kept with every field, listed oldest first, and found by id and digest'(
    createPlace,
  ) {
    const place = await createPlace()
    const store = await openAt(place)
    const young = recordOf({ createdAt: 3, name: 'naïve 🦊', expiresAt: 4_102_444_800_000 })
    const old = recordOf({ createdAt: 1, perMinute: 1, perDay: 999_999_999_999, revokedAt: 2 })
    await store.keys.add(young)
    await store.keys.add(old)
    await store.close()
    const { keys } = await openAt(place)
    const plain = (records: (KeyRecord | undefined)[]) =>
      records.map((record) => record && { ...record, digest: Buffer.from(record.digest) })
    expect(plain(await keys.list())).toStrictEqual(plain([old, young]))
    expect(plain([await keys.find(young.id)])).toStrictEqual(plain([young]))
    expect(plain([await keys.findByDigest(old.digest)])).toStrictEqual(plain([old]))
    expect(await keys.find('key_unknown')).toBeUndefined()
    expect(await keys.findByDigest(new Uint8Array(32))).toBeUndefined()
  },

  async 'digests of API keys are read in pages, oldest first'(createPlace) {
    const { keys } = await openAt(await createPlace())
    const records = [recordOf(), recordOf(), recordOf()]
    for (const record of records) await keys.add(record)
    const hex = (digests: readonly Uint8Array[]) =>
      digests.map((digest) => Buffer.from(digest).toString('hex'))
    const pages = [await keys.digestsAfter(0, 2)]
    pages.push(await keys.digestsAfter(pages[0]?.position ?? 0, 2))
    expect(pages.map(({ digests }) => digests.length)).toEqual([2, 1])
    const digests = records.map(({ digest }) => digest)
    expect(pages.flatMap((page) => hex(page.digests))).toEqual(hex(digests))
    const end = pages[1]?.position ?? 0
    expect(await keys.digestsAfter(end, 2)).toEqual({ digests: [], position: end })
  },

  async 'API keys stay revoked since the first time'(createPlace) {
    const { keys } = await openAt(await createPlace())
    const [one, other] = [recordOf(), recordOf()]
    await keys.add(one)
    await keys.add(other)
    await keys.revoke(one.id, 5)
    await keys.revoke(one.id, 7)
    await keys.revoke('key_unknown', 9)
    expect((await keys.find(one.id))?.revokedAt).toBe(5)
    expect((await keys.find(other.id))?.revokedAt).toBeUndefined()
  },

  async 'API keys are replaced by a successor, or not at all'(createPlace) {
    const { keys } = await openAt(await createPlace())
    const [old, successor] = [recordOf(), recordOf()]
    await keys.add(old)
    await keys.replace(old.id, 1234, successor)
    expect((await keys.find(old.id))?.expiresAt).toBe(1234)
    expect(await keys.find(successor.id)).toBeDefined()
    // The successor is there already: nothing of the second replacement may stay.
    await expect(keys.replace(old.id, 5678, successor)).rejects.toThrow()
    expect((await keys.find(old.id))?.expiresAt).toBe(1234)
    expect(await keys.list()).toHaveLength(2)
  },

  async 'the secret has 32 bytes, is the same for every instance, and differs between stores'(
    createPlace,
  ) {
    const place = await createPlace()
    const [one, other] = [await openAt(place), await openAt(place)]
    const elsewhere = await openAt(await createPlace())
    expect(one.secret).toHaveLength(32)
    expect(other.secret).toEqual(one.secret)
    expect(elsewhere.secret).not.toEqual(one.secret)
  },
}
