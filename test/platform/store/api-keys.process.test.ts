import { expect, test } from 'vitest'
import { engines } from '../../helpers/places/engines.ts'
import type { Place } from '../../helpers/places/place.ts'
import { startProgram } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { execute, isSqlite } from './database.ts'

/** The `keys` command on a store, with `--json`; rejects when it fails. */
function keysAt({ url }: Place) {
  return async (...args: readonly string[]) => {
    const env = { DATABASE_URL: url }
    const ended = await startProgram('server/commands/keys.ts', [...args, '--json'], { env }).ended
    if (ended.status !== 0) throw new Error(ended.complaint)
    return JSON.parse(ended.output)
  }
}

/** Lets no API key be inserted any more. */
async function rejectInserts(place: Place): Promise<void> {
  if (isSqlite(place)) {
    const sql = `CREATE TRIGGER no_more BEFORE INSERT ON api_keys BEGIN SELECT RAISE(ABORT, 'no'); END`
    await execute(place, sql)
    return
  }
  await execute(
    place,
    `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
  )
  const sql =
    'CREATE TRIGGER no_more BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION reject()'
  await execute(place, sql)
}

test.for(engines)(
  'API keys are stored with every field, and rotated as a whole, in $name',
  async ({ createPlace }) => {
    const place = await createPlace()
    const keys = keysAt(place)
    const limits = ['--per-minute', '1', '--per-day', '999999999999']
    const old = await keys('issue', '--plan', 'enterprise', ...limits)
    const expires = ['--expires', '2100-01-01T00:00:00Z']
    const young = await keys('issue', '--plan', 'free', '--name', 'naïve 🦊', ...expires)
    expect(await keys('list')).toMatchObject([
      { id: old.id, name: null, plan: 'enterprise', perMinute: 1, perDay: 999_999_999_999 },
      { id: young.id, name: 'naïve 🦊', plan: 'free', expiresAt: '2100-01-01T00:00:00.000Z' },
    ])

    const { send } = await startTestService({}, place)
    const statusWith = async (key: string) =>
      (await send('/nothing', { headers: { Authorization: `Bearer ${key}` } })).status
    for (const { key } of [old, young]) expect(await statusWith(key)).toBe(404)

    const revoked = await keys('revoke', old.id)
    expect(revoked.revokedAt).toEqual(expect.any(String))
    expect(await keys('revoke', old.id)).toEqual(revoked)
    const successor = await keys('rotate', young.id)
    await expect(keys('rotate', young.id)).rejects.toThrow(successor.id)

    await rejectInserts(place)
    const before = await keys('list')
    await expect(keys('rotate', successor.id)).rejects.toThrow()
    // Nothing of a rotation that failed is stored.
    expect(await keys('list')).toEqual(before)
  },
)
