import { expect, test } from 'vitest'
import { readMetrics } from '../ops/support/metrics.ts'
import { overload, startOnClock } from '../support/overload.ts'

test('metrics show it, what waits, and what was refused', async () => {
  const started = await startOnClock({ OPS_PORT: '0' })
  const { service } = started
  const shown = async () => {
    const series = await readMetrics(service)
    return ['overloaded', 'requests_waiting', 'requests_shed_total'].map((name) =>
      series.get(`animal_store_${name}`),
    )
  }
  expect(await shown()).toEqual([0, 0, 0])
  const load = await overload(started)
  for (let count = 0; count < 3; count++) await service.send('/v1/pets')
  // One had waited for too long; another one waits still.
  expect(await shown()).toEqual([1, 1, 4])
  await load.end()
  expect(await shown()).toEqual([0, 0, 4])
})

test('the log says so once when it begins, and how many were refused when it is over', async () => {
  const started = await startOnClock()
  const { service } = started
  const load = await overload(started)
  for (let count = 0; count < 5; count++) await service.send('/v1/pets')
  await load.end()
  await service.stop()
  expect(service.logged.filter(({ msg }) => /overload/.test(String(msg)))).toEqual([
    expect.objectContaining({ level: 'warn', msg: expect.stringContaining('OVERLOAD_WAIT_MS') }),
    expect.objectContaining({ level: 'info', refused: 6 }),
  ])
})
