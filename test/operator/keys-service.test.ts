import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../support/service-process.ts'
import { createKeysCommand, freshFile } from './keys-command.ts'

/** The status of a request with a key. */
async function statusWith(key: string, origin: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(`${origin}/v1/pets?limit=1`, { headers })
  await response.body?.cancel()
  return response.status
}

/** Milliseconds from a time until a key is refused; the key is good at the beginning. */
async function refusedAfter(from: number, key: string, origin: string): Promise<number> {
  for (let status = 200; status !== 401; status = await statusWith(key, origin)) {
    expect(status).toBe(200)
    await wait(50)
  }
  return Date.now() - from
}

test('what the keys command does reaches a running service within 5 seconds', async () => {
  const file = freshFile()
  const { origin } = await startServiceProcess(file, { RATE_LIMITS: 'off' })
  const keys = createKeysCommand(file)
  const issue = () => keys.make('issue', '--plan', 'free')
  const [revoked, replaced, overlapping] = [await issue(), await issue(), await issue()]
  const expiry = new Date(Date.now() + 6_000).toISOString()
  const expiring = await keys.make('issue', '--plan', 'free', '--expires', expiry)
  for (const { key } of [revoked, replaced, overlapping, expiring]) {
    expect(await statusWith(key, origin)).toBe(200)
  }

  async function revoke(): Promise<void> {
    await keys.run('revoke', revoked.id)
    expect(await refusedAfter(Date.now(), revoked.key, origin)).toBeLessThan(5_000)
  }

  async function replace(): Promise<void> {
    const successor = await keys.make('rotate', replaced.id)
    const from = Date.now()
    expect(await statusWith(successor.key, origin)).toBe(200)
    expect(await refusedAfter(from, replaced.key, origin)).toBeLessThan(5_000)
  }

  async function overlap(): Promise<void> {
    const from = Date.now()
    const successor = await keys.make('rotate', overlapping.id, '--overlap', '6s')
    const duration = await refusedAfter(from, overlapping.key, origin)
    // Not before its time, and then within 5 seconds; the command itself takes a moment.
    expect(duration).toBeGreaterThanOrEqual(6_000)
    expect(duration).toBeLessThan(14_000)
    expect(await statusWith(successor.key, origin)).toBe(200)
  }

  async function expire(): Promise<void> {
    const late = await refusedAfter(Date.parse(expiry), expiring.key, origin)
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(5_000)
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
