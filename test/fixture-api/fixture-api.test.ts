import { expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { readFolder } from '../platform/pipeline/support/workspace.ts'

test('what the fixture API was compiled into is up to date', async () => {
  const { artifacts } = await compile(`${import.meta.dirname}/openapi.yaml`, 'strict')
  expect(await readFolder(`${import.meta.dirname}/generated`)).toEqual(
    Object.fromEntries(artifacts),
  )
})
