import { expect, test } from 'vitest'
import type { Api, HandlerOptions } from '../../../server/served-api.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { expectMetric } from '../../helpers/metrics.ts'
import { startServiceOf } from '../../helpers/service.ts'

/** Starts a service whose handlers open something, as they open a database of their own. */
function startWith(open: (options: HandlerOptions) => Promise<void>) {
  const createHandlers: Api['createHandlers'] = async (options) => {
    await open(options)
    return fixtureApi.createHandlers(options)
  }
  return startServiceOf({ ...fixtureApi, createHandlers }, { OPS_PORT: '0' })
}

test('what handlers have opened is closed after the last response', async () => {
  const closed: string[] = []
  const service = await startWith(async ({ closeOnStop }) => {
    closeOnStop(() => void closed.push('first'))
    closeOnStop(async () => void closed.push('second'))
  })
  expect((await service.send('/livez')).status).toBe(200)
  expect(closed).toEqual([])
  await service.stop()
  expect(closed).toEqual(['second', 'first'])
})

test('what handlers have opened is closed if the service does not start', async () => {
  let isClosed = false
  const starting = startWith(async ({ closeOnStop }) => {
    closeOnStop(() => {
      isClosed = true
    })
    throw new Error('no such table')
  })
  await expect(starting).rejects.toThrow('no such table')
  expect(isClosed).toBe(true)
})

test('/readyz is 503 while a readiness check of a handler rejects, and the log and a metric show it', async () => {
  let isReady = false
  const { ask, logged, metricsUrl } = await startWith(async ({ addReadinessCheck }) => {
    addReadinessCheck(async () => {
      if (!isReady) {
        throw new Error('stock is away')
      }
    })
  })
  await expectMetric({ metricsUrl }, 'ready', 1)
  expect(await ask('/readyz')).toMatchObject({ status: 503, code: 'unavailable' })
  await expectMetric({ metricsUrl }, 'ready', 0)
  expect(logged).toMatchObject([
    {
      msg: 'store unavailable: a readiness check of the API failed',
      err: { message: 'stock is away' },
    },
  ])
  isReady = true
  expect(await ask('/readyz')).toMatchObject({ status: 200 })
  await expectMetric({ metricsUrl }, 'ready', 1)
})
