// What it costs to count a request in this process and in Redis, and how long a request takes
// whose Redis stands still: node bench/shared-limits.ts [REDIS_URL]
import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createMemoryTally } from '../server/access/memory-tally.ts'
import { openRedisSession } from '../server/access/redis/session.ts'
import { createSharedTally } from '../server/access/shared-tally.ts'
import type { Tally } from '../server/access/tally.ts'
import { median, percentile } from './statistics.ts'

const url = process.argv[2] ?? 'redis://127.0.0.1:6379'
const [rounds, warmUp, callsARound] = [40, 10, 10_000]
const ban = { after: 10, seconds: 300 }
const quota = { perMinute: 1e9, perDay: 1e9 }
const prefix = `bench:${randomUUID()}:`

async function measure(tally: Tally, atOnce: number): Promise<number[]> {
  const costs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage()
    for (let count = 0; count < callsARound; count += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => tally.countKey('key_bench', quota)))
    }
    const { user, system } = process.cpuUsage(begin)
    if (round >= warmUp) costs.push((user + system) / callsARound)
  }
  return costs
}

async function showCosts(): Promise<void> {
  const own = createMemoryTally(ban)
  const redis = await openRedisSession({ url, ban, prefix, patience: 5_000 }, never())
  console.log('CPU of this process to count a request, µs (median, 10th to 90th percentile)')
  for (const [name, tally] of [['process', own] as const, ['Redis', redis] as const]) {
    for (const atOnce of [1, 10, 100]) {
      const costs = await measure(tally, atOnce)
      const spread = `${percentile(costs, 0.1).toFixed(1)} to ${percentile(costs, 0.9).toFixed(1)}`
      console.log(`${name}, ${atOnce} at once: ${median(costs).toFixed(1)} (${spread})`)
    }
  }
  redis.close()
}

/** A way to Redis that can be made to swallow everything. */
async function openRoad() {
  const { hostname, port } = new URL(url)
  const state = { isStalled: false }
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    const upstream = connect(Number(port || 6379), hostname)
    sockets.push(socket, upstream)
    socket.on('data', (bytes) => state.isStalled || upstream.write(bytes))
    upstream.on('data', (bytes) => state.isStalled || socket.write(bytes))
    for (const end of [socket, upstream]) end.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const own = typeof address === 'object' ? address?.port : undefined
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { state, url: `redis://127.0.0.1:${own}`, close }
}

async function showStall(): Promise<void> {
  const longest: number[] = []
  // How late the machine is by itself.
  const timers: number[] = []
  for (let turn = 0; turn < 30; turn++) {
    const road = await openRoad()
    const tally = await createSharedTally({
      own: createMemoryTally(ban),
      open: (signal) => openRedisSession({ url: road.url, ban, prefix }, signal),
      onLost: () => undefined,
      onShared: () => undefined,
    })
    await tally.countKey('key_bench', quota)
    road.state.isStalled = true
    const waits = Array.from({ length: 100 }, async () => {
      const from = performance.now()
      await tally.countKey('key_bench', quota)
      return performance.now() - from
    })
    const from = performance.now()
    await wait(50)
    timers.push(performance.now() - from)
    longest.push(Math.max(...(await Promise.all(waits))))
    await tally.close()
    road.close()
  }
  const show = (times: readonly number[]) =>
    `median ${median(times).toFixed(1)} ms, most ${Math.max(...times).toFixed(1)} ms`
  console.log(`longest wait of 100 requests when Redis stalls, 30 times: ${show(longest)}`)
  console.log(`a timer of 50 ms beside them: ${show(timers)}`)
}

function never(): AbortSignal {
  return new AbortController().signal
}

await showCosts()
await showStall()
