import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { bundleDescription, openDescription } from './bundle.ts'
import { printCalls } from './calls.ts'
import type { JsonObject } from './description.ts'
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
  const printing = bundleDescription(opened).then((root) => printAll(name, root))
  const [[linted], [printed]] = await Promise.all([linting, Promise.allSettled([printing])])
  // The linter says where in the description the trouble is, so it is heard first.
  if (linted.status === 'fulfilled') refuseErrors(linted.value)
  if (printed.status === 'rejected') throw printed.reason
  if (linted.status === 'rejected') throw linted.reason
  return { artifacts: printed.value, warnings: linted.value.warnings }
}

function refuseErrors({ errors }: LintResult): void {
  if (errors.length > 0) throw new DescriptionError(errors)
}

// In this order people are told of them.
const order = [
  'openapi.d.ts',
  'openapi.json',
  'openapi.json.sha256',
  'calls.ts',
  'examples.ts',
  'operations.ts',
]

async function printAll(name: string, description: JsonObject): Promise<Artifacts> {
  const served = printServed(name, description)
  const all = new Map([...served, ...(await printForCode(name, description))])
  return new Map([...all].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)))
}

/** Prints what the service runs on; `name` is what it calls the description. */
export function printServed(name: string, description: JsonObject): Artifacts {
  const json = printDescription(description)
  return new Map([
    ['openapi.json', json],
    // As sha256sum writes and checks it.
    ['openapi.json.sha256', `${hash('sha256', json)}  openapi.json\n`],
    ['operations.ts', noticeOf(name) + printOperations(description)],
  ])
}

function printDescription(description: JsonObject): string {
  return `${JSON.stringify(description, undefined, 2)}\n`
}

/** Prints what hand-written code is compiled with. */
export async function printForCode(name: string, description: JsonObject): Promise<Artifacts> {
  // Loaded here because it takes a while, in which the linter is running already.
  const { printTypes } = await import('./types.ts')
  return new Map([
    ['openapi.d.ts', noticeOf(name) + (await printTypes(description))],
    ['calls.ts', noticeOf(name) + printCalls(description)],
    ['examples.ts', noticeOf(name) + printExamples(description)],
  ])
}

function noticeOf(name: string): string {
  return `// Generated from ${name} by \`npm run generate\`. Do not edit.\n\n`
}

/** What artifacts call a description: only what is the same on every machine may stand there. */
export function nameOf(file: string): string {
  return file === projectSpec ? 'spec/openapi.yaml' : basename(file)
}
