import { expect, onTestFinished, test, vi } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { startTestService } from '../../helpers/service.ts'

const hour = 3_600_000

test.for(engines)(
  'revoke, rotate and the end of an overlap reach a running service within five seconds, also if its clock is an hour behind, on $name',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    const keys = createKeysCommand(db.url)
    const issue = () => keys.make('issue', '--plan', 'free')
    const [revoked, replaced, overlapping] = [await issue(), await issue(), await issue()]
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() - hour })
    onTestFinished(() => void vi.useRealTimers())
    vi.advanceTimersByTime(1)
    const { send } = await startTestService({ RATE_LIMITS: 'off' }, db)
    const old = [revoked, replaced, overlapping].map(({ key }) => key)
    const statuses = (all: readonly string[]) =>
      Promise.all(all.map(async (key) => (await send('/v1/pets', { key })).status))
    expect(await statuses(old)).toEqual([200, 200, 200])

    await keys.run('revoke', revoked.id)
    const successors = [
      await keys.make('rotate', replaced.id),
      await keys.make('rotate', overlapping.id, '--overlap', '1h'),
    ].map(({ key }) => key)
    vi.advanceTimersByTime(5_000)
    expect(await statuses([...old, ...successors])).toEqual([401, 401, 200, 200, 200])
    // The overlap ends by the clock of the machine that ran the command.
    vi.advanceTimersByTime(2 * hour - 60_000)
    expect(await statuses([...old, ...successors])).toEqual([401, 401, 200, 200, 200])
    vi.advanceTimersByTime(hour)
    expect(await statuses([...old, ...successors])).toEqual([401, 401, 401, 200, 200])
  },
)

test.for(engines)(
  'of four parallel commands that rotate an API key, exactly one wins, on $name',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    const keys = createKeysCommand(db.url)
    const { id } = await keys.make('issue', '--plan', 'free')
    // With an overlap the key stays valid: nothing but its successor keeps the others out.
    const rotate = ['rotate', id, '--overlap', '1h', '--json']
    const all = Array.from({ length: 4 }, () => keys.run(...rotate))
    const ended = await Promise.all(all)
    const won = ended.filter(({ status }) => status === 0)
    expect(won).toHaveLength(1)
    const successor = JSON.parse(won[0]?.output ?? '').id
    const errorOutput = `Key ${id} was rotated already. Rotate its successor ${successor} instead.\n`
    const lost = ended.filter(({ status }) => status !== 0)
    expect(lost).toMatchObject(Array(3).fill({ status: 1, output: '', errorOutput }))
    expect((await keys.list()).map((key) => key.id)).toEqual([id, successor])
  },
)
