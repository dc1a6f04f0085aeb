import { expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { startFixtureService } from '../helpers/fixture-service.ts'
import { readFolder } from '../platform/pipeline/support/workspace.ts'

test('what the fixture API was compiled into is up to date', async () => {
  const { artifacts } = await compile(`${import.meta.dirname}/openapi.yaml`, 'strict')
  expect(await readFolder(`${import.meta.dirname}/generated`)).toEqual(
    Object.fromEntries(artifacts),
  )
})

test('the fixture API is served by the platform', async () => {
  const { send, baseUrl, origin } = await startFixtureService()
  const base = baseUrl.slice(origin.length)
  const json = async (path: string, init?: RequestInit) => {
    const response = await send(base + path, init)
    return [response.status, response.status === 204 ? '' : await response.json()]
  }
  expect(await json('/tools')).toEqual([200, []])
  expect(await json('/opening-hours')).toEqual([200, { mon: '9-17', sat: null }])
  expect(await json('/tools?tag=a&tag=b&ids=1,2&heavier-than=0.5')).toEqual([200, []])
})
