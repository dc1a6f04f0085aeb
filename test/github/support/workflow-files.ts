import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'

/** The parts of a workflow that are looked at here. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  readonly 'timeout-minutes'?: number
}

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

const folder = join(import.meta.dirname, '../../../.github/workflows')

/** Every workflow of the project, with its text. */
export const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  const document = parseDocument(text)
  // What it holds beyond this does not matter here; that it is valid is for the linter to say.
  const workflow = document.toJS() as Workflow
  return { name, text, errors: document.errors, workflow }
})

/** The last script of a job. */
export function scriptOf(file: string, job: string): string {
  const found = workflows.find(({ name }) => name === file)?.workflow.jobs[job]
  const script = found?.steps.findLast(({ run }) => run !== undefined)?.run
  if (script === undefined) throw new Error(`${file} has no script in ${job} any more`)
  return script
}
