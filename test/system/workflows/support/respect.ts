import { spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

const project = resolve(import.meta.dirname, '../../../..')
const redocly = join(project, 'node_modules/@redocly/cli/bin/cli.js')

/** The result of a run of workflows. */
export interface WorkflowRun {
  readonly workflows: readonly string[]
  readonly requests: number
  /** A text for each failed check, with the response. */
  readonly failures: readonly string[]
  /** The output of the run, and its report. */
  readonly written: string
}

/** The parts of the report of `redocly respect`. */
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
  readonly baseUrl: string
  /** The inputs of the workflows, by name. */
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
    // Not as arguments, which every user of the machine can read.
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
