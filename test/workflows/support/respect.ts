import { spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { createTemporaryFolder } from '../../support/temporary-folder.ts'

const project = resolve(import.meta.dirname, '../../..')
const redocly = join(project, 'node_modules/@redocly/cli/bin/cli.js')

/** What a run of workflows came to. */
export interface WorkflowRun {
  readonly workflows: readonly string[]
  readonly requests: number
  /** One for each expectation that was not met, with what was answered. */
  readonly failures: readonly string[]
  /** All that the run wrote, on its outputs and into its file. */
  readonly written: string
}

/** The parts of respect's report that are read here. */
interface Report {
  readonly files: Readonly<Record<string, File>>
}
interface File {
  readonly totalRequests: number
  readonly executedWorkflows: readonly Workflow[]
}
interface Workflow {
  readonly workflowId: string
  readonly executedSteps: readonly Step[]
}
interface Step {
  readonly stepId: string
  readonly request?: { readonly method: string; readonly url: string }
  readonly response?: { statusCode: number; body?: unknown; headers?: object }
  readonly checks: readonly {
    readonly name: string
    readonly passed: boolean
    readonly message: string
    readonly condition?: string
  }[]
}

export interface RespectOptions {
  /** Where the contract's paths begin. */
  readonly baseUrl: string
  /** What the workflows are handed in, by name; secrets among it stay out of what is written. */
  readonly inputs: Readonly<Record<string, string>>
}

/** Runs every workflow of an Arazzo description against a service; the source is named `store`. */
export async function respect(
  file: string,
  { baseUrl, inputs }: RespectOptions,
): Promise<WorkflowRun> {
  const output = join(createTemporaryFolder(), 'run.json')
  const child = spawn(process.execPath, [redocly, 'respect', file, '--json-output', output], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Keys are handed in here, because everybody on a machine can read the arguments of a program.
    env: {
      PATH: process.env['PATH'],
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
      REDOCLY_CLI_RESPECT_SERVER: `store=${baseUrl}`,
    },
  })
  const closed = new Promise<number | null>((done) => child.once('close', done))
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
  const status = await closed
  if (!(await stat(output).catch(() => undefined))) {
    throw new Error(`respect ended with ${status} and wrote no report: ${said}`)
  }
  const json = await readFile(output, 'utf8')
  const report: Report = JSON.parse(json)
  const files = Object.values(report.files)
  const failures = files.flatMap((each) => each.executedWorkflows.flatMap(failuresOf))
  if ((status === 0) !== (failures.length === 0)) throw new Error(`${status}: ${said}`)
  return {
    workflows: files.flatMap((each) => each.executedWorkflows.map((flow) => flow.workflowId)),
    requests: files.reduce((sum, { totalRequests }) => sum + totalRequests, 0),
    failures,
    written: said + json,
  }
}

function failuresOf({ workflowId, executedSteps }: Workflow): string[] {
  return executedSteps.flatMap(({ stepId, request, response, checks }) =>
    checks
      .filter(({ passed }) => !passed)
      .map(({ name, condition, message }) => {
        const expected = condition ?? message
        return [
          `${workflowId} / ${stepId}: ${name} failed: ${expected}`,
          `${request?.method.toUpperCase()} ${request?.url}`,
          `answered ${response?.statusCode} ${JSON.stringify(response?.body)}`,
          `with ${JSON.stringify(response?.headers)}`,
        ].join('\n  ')
      }),
  )
}
