import { expect, test } from 'vitest'
import { createKeysCommandAt } from '../../helpers/keys-command.ts'
import { engines } from '../../helpers/places/engines.ts'
import type { Place } from '../../helpers/places/place.ts'
import { startTestService } from '../../helpers/service.ts'
import { execute, isSqlite } from './database.ts'

/** Lets no API key be inserted any more. */
async function rejectInserts(place: Place): Promise<void> {
  const trigger = 'CREATE TRIGGER no_more BEFORE INSERT ON api_keys'
  if (isSqlite(place)) {
    await execute(place, `${trigger} BEGIN SELECT RAISE(ABORT, 'no'); END`)
    return
  }
  await execute(
    place,
    `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
  )
  await execute(place, `${trigger} FOR EACH ROW EXECUTE FUNCTION reject()`)
}

test.for(engines)(
  'API keys are stored with every field, and rotated as a whole, in $name',
  async ({ createPlace }) => {
    const place = await createPlace()
    const { make, run, list } = createKeysCommandAt(place.url)
    const limits = ['--per-minute', '1', '--per-day', '999999999999']
    const old = await make('issue', '--plan', 'enterprise', ...limits)
    const expires = ['--expires', '2100-01-01T00:00:00Z']
    const young = await make('issue', '--plan', 'free', '--name', 'naïve 🦊', ...expires)
    expect(await list()).toMatchObject([
      { id: old.id, name: null, plan: 'enterprise', perMinute: 1, perDay: 999_999_999_999 },
      { id: young.id, name: 'naïve 🦊', plan: 'free', expiresAt: '2100-01-01T00:00:00.000Z' },
    ])
    const { send } = await startTestService({}, place)
    for (const { key } of [old, young]) expect((await send('/nothing', { key })).status).toBe(404)

    const revoked = await make('revoke', old.id)
    expect(revoked.revokedAt).toEqual(expect.any(String))
    expect(await make('revoke', old.id)).toEqual(revoked)
    const successor = await make('rotate', young.id)
    expect((await run('rotate', young.id)).complaint).toContain(successor.id)

    await rejectInserts(place)
    const before = await list()
    expect((await run('rotate', successor.id)).status).not.toBe(0)
    // Nothing of a rotation that failed is stored.
    expect(await list()).toEqual(before)
  },
)
