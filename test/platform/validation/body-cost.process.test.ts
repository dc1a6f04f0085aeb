import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { readMetrics } from '../ops/support/metrics.ts'

const pet = '{"name":"Rex","categoryId":7'
const accepted = `${pet}}`.padEnd(100_000)
const unknown = Array.from({ length: 10_000 }, (_, index) => `,"a${index}":1`).join('')
const rejected = `${pet}${unknown}}`.padEnd(100_000)

test('a rejected body of 10,000 unknown members costs at most five times the CPU of an accepted one', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const service = await startServiceProcess(file, { OPS_PORT: '0', RATE_LIMITS: 'off' })
  const [, metricsUrl = ''] = await service.program.says(/metrics are at +(\S+)\n/)
  const key = await service.firstKey()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }

  /** CPU seconds of the service, which do not depend on what else the machine does. */
  const cpuSeconds = async () =>
    (await readMetrics({ metricsUrl })).get('process_cpu_seconds_total') ?? Number.NaN
  async function costOf(body: string, status: number): Promise<number> {
    const before = await cpuSeconds()
    for (let count = 0; count < 10; count++) {
      const init = { method: 'POST', headers, body }
      const response = await fetch(`${service.origin}/v1/pets`, init)
      await response.arrayBuffer()
      expect(response.status).toBe(status)
    }
    return (await cpuSeconds()) - before
  }

  // The first rounds load and compile code.
  const ratios: number[] = []
  for (let round = 0; round < 5; round++) {
    ratios.push((await costOf(rejected, 400)) / (await costOf(accepted, 201)))
  }
  const [, median] = ratios.slice(2).sort((one, other) => one - other)
  expect(median).toBeLessThanOrEqual(5)
}, 60_000)
