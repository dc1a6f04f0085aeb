import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { project, runProgram } from '../../helpers/program.ts'
import type { TestService } from '../../helpers/service.ts'

/** Values of the inputs of workflows, by name. */
export type WorkflowInputs = Readonly<Record<string, string>>

/** What `test/api/workflows/inputs.ts` of an API exports. */
export interface WorkflowSetup {
  /** Fills the store with what the workflows need; resolves with their inputs beside `apiKey`. */
  readonly createInputs: (service: TestService) => Promise<WorkflowInputs>
}

/** The keys of an Arazzo document that a run needs. */
interface ArazzoDocument {
  readonly sourceDescriptions: readonly { readonly name: string; readonly type: string }[]
  readonly workflows: readonly { readonly workflowId: string }[]
}

/** The workflows of the project, if it has some. */
export const workflowsFile = join(project, 'spec/workflows.arazzo.yaml')

/** The inputs that an API has for its workflows; without it, the only one is `apiKey`. */
const inputsFile = join(project, 'test/api/workflows/inputs.ts')

const redocly = 'node_modules/@redocly/cli/bin/cli.js'
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs the workflows against a service, and expects each of them to succeed without printing an API key. */
export async function expectWorkflowsToSucceed(service: TestService): Promise<void> {
  const text = readFileSync(workflowsFile, 'utf8')
  const { sourceDescriptions, workflows }: ArazzoDocument = parse(text)
  const inputs = await createInputs(service)
  const servers = sourceDescriptions
    .filter(({ type }) => type === 'openapi')
    .map(({ name }) => `${name}=${service.baseUrl}`)

  // Every user of the machine can read arguments.
  const env = {
    ...quiet,
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    REDOCLY_CLI_RESPECT_SERVER: servers.join(','),
  }
  const run = await runProgram(redocly, ['respect', workflowsFile], { project, env })
  const written = stripVTControlCharacters(run.output + run.errorOutput)

  expect(run.status, written).toBe(0)
  for (const { workflowId } of workflows) {
    expect(written).toContain(workflowId)
  }
  const printedKeys = keysOf(inputs).filter((key) => written.includes(key))
  expect(printedKeys, 'API keys in the output').toEqual([])
}

async function createInputs(service: TestService): Promise<WorkflowInputs> {
  const { apiKey } = service
  if (!existsSync(inputsFile)) {
    return { apiKey }
  }
  const setup: WorkflowSetup = await import(inputsFile)
  return { apiKey, ...(await setup.createInputs(service)) }
}

/** Returns the inputs that are API keys of the project. */
function keysOf(inputs: WorkflowInputs): readonly string[] {
  const prefix = `${packageJson.config.apiKeyPrefix}_`
  return Object.values(inputs).filter((value) => value.startsWith(prefix))
}
