import { expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { readFolder } from '../platform/pipeline/support/workspace.ts'

test('what the fixture API was compiled into is up to date', async () => {
  const { artifacts } = await compile(`${import.meta.dirname}/openapi.yaml`, 'strict')
  expect(await readFolder(`${import.meta.dirname}/generated`)).toEqual(
    Object.fromEntries(artifacts),
  )
})

// The workshop has parameters, credentials and media types that no service serves yet.
test('the rows of operations that the workshop was compiled into are up to date', async () => {
  const folder = `${import.meta.dirname}/files`
  const { artifacts } = await compile(`${folder}/workshop.yaml`, 'minimal')
  const frozen = await readFolder(`${folder}/generated`)
  expect(frozen).toEqual({ 'operations.ts': artifacts.get('operations.ts') })
})
