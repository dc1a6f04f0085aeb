import { hash } from 'node:crypto'
import { basename } from 'node:path'
import type { Description } from '../../server/description/description.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { normalise } from '../../server/description/normalise.ts'
import type { Settings } from '../../server/description/settings.ts'
import { bundleDescription, openDescription, rejectDeepReferences } from './bundle.ts'
import { printCalls } from './calls.ts'
import { rejectRepeatedNames, rejectUnusableNames } from './code-names.ts'
import { printExamples } from './examples.ts'
import { DescriptionError } from './failure.ts'
import { rejectHiddenOperations } from './hidden-operations.ts'
import { findProblems, type LintLevel } from './lint.ts'
import { withNamesAsIds } from './operation-names.ts'
import { printOperations } from './operations.ts'
import { rejectInvalidPagination } from './pagination-problems.ts'
import { projectSpec } from './project.ts'
import { describeUnserved } from './served.ts'
import { readServiceFile, rejectUnknownOperations, rejectUnusableVersion } from './service-file.ts'
import { toTypedDescription } from './types/typed-description.ts'

/** The text of every file that a description compiles into, by file name. */
export type Artifacts = ReadonlyMap<string, string>

/** A description that was compiled. */
export interface Compiled {
  readonly artifacts: Artifacts
  /** What the linter warns of, a line for each warning. */
  readonly warnings: readonly string[]
  /** What the service does not serve of it, in lines for people; none if it serves all. */
  readonly unserved: readonly string[]
}

/** Lints and compiles a description, in memory; throws if either finds an error. */
export function compile(spec: string, level: LintLevel): Promise<Compiled> {
  return rejectDeepReferences(spec, () => compileFile(spec, level))
}

async function compileFile(spec: string, level: LintLevel): Promise<Compiled> {
  const opened = await openDescription(spec)
  const serviceFile = readServiceFile(spec)
  const findings = await findProblems(opened, level)
  const errors = findings.filter(({ isError }) => isError)
  if (errors.length > 0) {
    throw new DescriptionError(
      errors.map(({ line }) => line),
      errors.map(({ report }) => report),
    )
  }
  const description = await bundleDescription(opened)
  const model = readBundled(description)
  rejectUnknownOperations(serviceFile, model)
  rejectInvalidPagination(spec, model, serviceFile)
  rejectRepeatedNames(spec, model)
  if (level === 'strict') {
    rejectHiddenOperations(spec, model, serviceFile.settings)
    rejectUnusableNames(spec, model)
    rejectUnusableVersion(spec, model, serviceFile)
  }
  return {
    artifacts: await print(spec, description, model, serviceFile.settings),
    warnings: findings.map(({ line }) => line),
    unserved: describeUnserved(model),
  }
}

async function print(
  spec: string,
  description: JsonObject,
  model: Description,
  settings: Settings,
): Promise<Artifacts> {
  // Loaded here because the compiler of TypeScript takes a while, and may not be needed.
  const { printTypes } = await import('./types.ts')
  const json = `${JSON.stringify(description, undefined, 2)}\n`
  // The same on every machine.
  const name = spec === projectSpec ? 'spec/openapi.yaml' : basename(spec)
  const notice = `// Generated from ${name} by \`npm run generate\`. Do not edit.\n\n`
  const typed = toTypedDescription(withNamesAsIds(normalise(description)))
  return new Map([
    ['openapi.json', json],
    // As sha256sum writes and checks it.
    ['openapi.json.sha256', `${hash('sha256', json)}  openapi.json\n`],
    ['operations.ts', notice + printOperations(model, settings)],
    ['openapi.d.ts', notice + printTypes(typed)],
    ['calls.ts', notice + printCalls(readBundled(typed))],
    ['examples.ts', notice + printExamples(model)],
  ])
}
