import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { bundleDescription, type OpenedDescription, openDescription } from './bundle.ts'
import { printCalls } from './calls.ts'
import { printExamples } from './examples.ts'
import { DescriptionError } from './failure.ts'
import { type LintLevel, type LintResult, lint } from './lint.ts'
import { printOperations } from './operations.ts'
import { projectSpec } from './project.ts'

/** The text of every file that a description compiles into, by file name. */
export type Artifacts = ReadonlyMap<string, string>

/**
 * Lints and compiles a description, in memory; throws if either finds an error. `name` is what the
 * artifacts call it.
 */
export async function compile(
  spec: string,
  level: LintLevel,
  name = nameOf(spec),
): Promise<{ readonly artifacts: Artifacts; readonly warnings: readonly string[] }> {
  // The linter is a process of its own: it starts first and runs beside everything else.
  const linting = Promise.allSettled([lint(spec, level)])
  const opened = await openDescription(spec)
  const [[linted], [printed]] = await Promise.all([
    linting,
    Promise.allSettled([print(opened, name)]),
  ])
  // The linter says where in the description the trouble is, so it is heard first.
  if (linted.status === 'fulfilled') refuseErrors(linted.value)
  if (printed.status === 'rejected') throw printed.reason
  if (linted.status === 'rejected') throw linted.reason
  return { artifacts: printed.value, warnings: linted.value.warnings }
}

function refuseErrors({ errors }: LintResult): void {
  if (errors.length > 0) throw new DescriptionError(errors)
}

async function print(opened: OpenedDescription, name: string): Promise<Artifacts> {
  const description = await bundleDescription(opened)
  const json = `${JSON.stringify(description, undefined, 2)}\n`
  // Loaded here because it takes a while, in which the linter is running already.
  const { printTypes } = await import('./types.ts')
  const notice = `// Generated from ${name} by \`npm run generate\`. Do not edit.\n\n`
  return new Map([
    ['openapi.d.ts', notice + (await printTypes(description))],
    ['openapi.json', json],
    ['calls.ts', notice + printCalls(description)],
    ['examples.ts', notice + printExamples(description)],
    ['operations.ts', notice + printDigest(json) + printOperations(description)],
  ])
}

function printDigest(json: string): string {
  return `/** The SHA-256 of openapi.json, in hexadecimal: a copy that was changed by hand has another. */
export const descriptionDigest = '${hash('sha256', json)}'

`
}

// Only what is the same on every machine may be named in the artifacts.
function nameOf(file: string): string {
  return file === projectSpec ? 'spec/openapi.yaml' : basename(file)
}
