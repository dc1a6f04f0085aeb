import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runProgram } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const file = resolve(import.meta.dirname, '../../../spec/workflows.arazzo.yaml')
const redocly = 'node_modules/@redocly/cli/bin/cli.js'
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

test('redocly lint without arguments accepts the spec and its workflows', async () => {
  const { status, complaint } = await runProgram(redocly, ['lint'], { env: quiet })
  expect(status, complaint).toBe(0)
  expect(complaint).toMatch(
    /validating spec\/openapi\.yaml[\s\S]*validating spec\/workflows\.arazzo/,
  )
})

test('every workflow of spec/workflows.arazzo.yaml succeeds, and no API key is printed', async () => {
  const { baseUrl, inputs } = await startService()
  const { workflows }: Description = parse(readFileSync(file, 'utf8'))
  const declared = workflows.flatMap(({ inputs }) => Object.keys(inputs?.properties ?? {}))
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(declared))
  const { done, failures, written } = await respect(baseUrl, inputs)
  expect(failures).toEqual([])
  const steps = workflows.flatMap(({ workflowId, steps }) =>
    steps.map(({ stepId }) => `${workflowId} / ${stepId}`),
  )
  expect(done).toEqual(steps)
  expect(written).not.toContain(inputs.apiKey)
  expect(written).not.toContain(inputs.lastRequestKey)
})

/** Starts a service with two pets; returns the inputs of the workflows. */
async function startService() {
  const { baseUrl, apiKey, client, send, issue } = await startTestService()
  await client.createPet({ name: 'Ada', categoryId: 1 })
  await client.createPet({ name: 'Ben', categoryId: 1 })
  const page = await send('/v1/pets?limit=1')
  const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '') ?? []
  const { key: lastRequestKey } = await issue({ perMinute: 1 })
  const inputs = { apiKey, cursor, lastRequestKey, idempotencyKey: crypto.randomUUID() }
  return { baseUrl, inputs }
}

interface Description {
  readonly workflows: readonly {
    readonly workflowId: string
    readonly inputs?: { readonly properties?: object }
    readonly steps: readonly { readonly stepId: string }[]
  }[]
}
interface Step {
  readonly stepId: string
  readonly request?: object
  readonly response?: object
  readonly checks: readonly { readonly passed: boolean }[]
}
interface Report {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly Workflow[] }>>
}
interface Workflow {
  readonly workflowId: string
  readonly executedSteps: readonly Step[]
}

/** Runs every workflow with `redocly respect`; returns the steps, the failed ones, and the output. */
async function respect(baseUrl: string, inputs: Readonly<Record<string, string>>) {
  const report = join(createTemporaryFolder(), 'run.json')
  const args = ['respect', file, '--json-output', report]
  const { status, output, complaint } = await runProgram(redocly, args, {
    // Every user of the machine can read arguments.
    env: {
      ...quiet,
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
      REDOCLY_CLI_RESPECT_SERVER: `store=${baseUrl}`,
    },
  })
  if (!existsSync(report)) throw new Error(`respect wrote no report: ${output}${complaint}`)
  const json = readFileSync(report, 'utf8')
  const { files }: Report = JSON.parse(json)
  const steps = Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(({ workflowId, executedSteps }) =>
      executedSteps.map((step) => ({ ...step, name: `${workflowId} / ${step.stepId}` })),
    ),
  )
  const failures = steps.filter(({ checks }) => checks.some(({ passed }) => !passed))
  expect(status === 0, complaint).toBe(failures.length === 0)
  return {
    done: steps.filter(({ request }) => request !== undefined).map(({ name }) => name),
    failures,
    written: output + complaint + json,
  }
}
