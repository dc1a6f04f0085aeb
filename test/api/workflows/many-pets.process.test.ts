import { test } from 'vitest'
import { expectWorkflowsToSucceed } from '../../project/workflows/run-workflows.ts'
import { startAnimalStore } from '../support/service.ts'

test('the workflows succeed among more pets than fit on a page', async () => {
  const service = await startAnimalStore()
  for (let number = 0; number < 350; number++) {
    await service.client.createPet({ name: `pet ${number}`, categoryId: 1, status: 'sold' })
  }
  await expectWorkflowsToSucceed(service)
})
