import { existsSync } from 'node:fs'
import { test } from 'vitest'
import { readServedApi } from '../../../server/served-api.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { expectWorkflowsToSucceed, workflowsFile } from './run-workflows.ts'

test('each workflow of spec/workflows.arazzo.yaml succeeds, if the project has this file, and no API key is printed', async () => {
  if (!existsSync(workflowsFile)) {
    return
  }
  await expectWorkflowsToSucceed(await startServiceOf(readServedApi()))
})
