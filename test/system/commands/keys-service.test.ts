import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createKeysCommand, createKeysCommandAt, freshFile } from '../../helpers/keys-command.ts'
import { engines } from '../../helpers/places/engines.ts'
import { startTestService } from '../../helpers/service.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'

/** The status of a request with a key. */
async function statusWith(key: string, origin: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(`${origin}/v1/pets?limit=1`, { headers })
  await response.body?.cancel()
  return response.status
}

/** Milliseconds from a time until a key is rejected; the key is valid at the beginning. */
async function rejectedAfter(from: number, key: string, origin: string): Promise<number> {
  for (let status = 200; status !== 401; status = await statusWith(key, origin)) {
    expect(status).toBe(200)
    await wait(50)
  }
  return Date.now() - from
}

test('revoke, rotate and expiry of an API key reach a running service', async () => {
  const file = freshFile()
  const { origin } = await startServiceProcess(file, { RATE_LIMITS: 'off' })
  const keys = createKeysCommand(file)
  const issue = () => keys.make('issue', '--plan', 'free')
  const [revoked, replaced, overlapping] = [await issue(), await issue(), await issue()]
  const expiry = new Date(Date.now() + 15_000).toISOString()
  const expiring = await keys.make('issue', '--plan', 'free', '--expires', expiry)
  for (const { key } of [revoked, replaced, overlapping, expiring]) {
    expect(await statusWith(key, origin)).toBe(200)
  }

  async function revoke(): Promise<void> {
    await keys.run('revoke', revoked.id)
    await rejectedAfter(Date.now(), revoked.key, origin)
  }

  async function replace(): Promise<void> {
    const successor = await keys.make('rotate', replaced.id)
    expect(await statusWith(successor.key, origin)).toBe(200)
    await rejectedAfter(Date.now(), replaced.key, origin)
  }

  async function overlap(): Promise<void> {
    const from = Date.now()
    const successor = await keys.make('rotate', overlapping.id, '--overlap', '6s')
    const duration = await rejectedAfter(from, overlapping.key, origin)
    // Not before its time.
    expect(duration).toBeGreaterThanOrEqual(6_000)
    expect(await statusWith(successor.key, origin)).toBe(200)
  }

  async function expire(): Promise<void> {
    const late = await rejectedAfter(Date.parse(expiry), expiring.key, origin)
    expect(late).toBeGreaterThanOrEqual(0)
  }

  await Promise.all([revoke(), replace(), overlap(), expire()])
})

test('the keys command works while the service is written to', async () => {
  const file = freshFile()
  const { origin, firstKey } = await startServiceProcess(file, { RATE_LIMITS: 'off' })
  const apiKey = await firstKey()
  const keys = createKeysCommand(file)
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const statuses = new Set<number>()
  let isOver = false
  async function write(): Promise<void> {
    const body = JSON.stringify({ name: 'Cat', categoryId: 1 })
    while (!isOver) {
      const response = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })
      statuses.add(response.status)
      await response.body?.cancel()
    }
  }

  const writing = Promise.all(Array.from({ length: 8 }, write))
  const issued = await keys.make('issue', '--plan', 'free')
  const rotated = await keys.make('rotate', issued.id)
  const revoked = await keys.run('revoke', rotated.id)
  isOver = true
  await writing
  expect(revoked.status).toBe(0)
  expect([...statuses]).toEqual([201])
  expect(await keys.list()).toHaveLength(3)
})

test.for(engines)(
  'rotate API key without an overlap revokes the old key while the clock of the service is an hour behind, on $name',
  async ({ createPlace }) => {
    const place = await createPlace()
    const keys = createKeysCommandAt(place.url)
    const old = await keys.make('issue', '--plan', 'free')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { origin } = await startTestService({ RATE_LIMITS: 'off' }, place)
    expect(await statusWith(old.key, origin)).toBe(200)
    const successor = await keys.make('rotate', old.id)
    // The clock of the service stands still: only a revocation ends this.
    await rejectedAfter(Date.now(), old.key, origin)
    expect(await statusWith(successor.key, origin)).toBe(200)
  },
)

test.for(engines)(
  'of eight parallel commands that rotate an API key, exactly one wins, on $name',
  async ({ createPlace }) => {
    const keys = createKeysCommandAt((await createPlace()).url)
    const { id } = await keys.make('issue', '--plan', 'free')
    const all = Array.from({ length: 8 }, () => keys.run('rotate', id, '--json'))
    const ended = await Promise.all(all)
    const won = ended.filter(({ status }) => status === 0)
    expect(won).toHaveLength(1)
    const successor = JSON.parse(won[0]?.output ?? '').id
    const lost = ended.filter(({ status }) => status !== 0)
    const complaint = `Key ${id} was rotated already. Rotate its successor ${successor} instead.\n`
    expect(lost).toEqual(
      Array(7).fill(expect.objectContaining({ status: 1, output: '', complaint })),
    )
    expect((await keys.list()).map((key) => key.id)).toEqual([id, successor])
  },
)
