import { expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { readFolder } from '../platform/pipeline/support/workspace.ts'

// The workshop has parameters, credentials and media types that no service serves yet.
test('the rows of operations that the workshop was compiled into are up to date', async () => {
  const folder = `${import.meta.dirname}/files`
  const { artifacts } = await compile(`${folder}/workshop.yaml`, 'minimal')
  const frozen = await readFolder(`${folder}/generated`)
  expect(frozen).toEqual({ 'operations.ts': artifacts.get('operations.ts') })
})
