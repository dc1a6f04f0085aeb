import { hash } from 'node:crypto'
import { basename, relative } from 'node:path'
import type { Description } from '../../server/description/description.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { normalise } from '../../server/description/normalise.ts'
import type { Settings } from '../../server/description/settings.ts'
import { printReference } from '../../server/docs/text/reference-text.ts'
import { bundleDescription, openDescription, rejectDeepReferences } from './bundle.ts'
import { printCalls } from './calls.ts'
import { rejectRepeatedNames, rejectUnusableNames } from './code-names.ts'
import { codeSamples } from './code-samples.ts'
import { printExamples } from './examples.ts'
import { DescriptionError } from './failure.ts'
import { rejectHiddenOperations } from './hidden-operations.ts'
import { findProblems, type LintLevel } from './lint.ts'
import { withNamesAsIds } from './operation-names.ts'
import { printOperations } from './operations.ts'
import { rejectInvalidPagination } from './pagination-problems.ts'
import { projectOutput, projectPath, projectSpec } from './project.ts'
import { describeUnserved } from './served.ts'
import {
  readServiceFile,
  rejectUnknownErrorSchema,
  rejectUnknownOperations,
  rejectUnusableVersion,
} from './service-file.ts'
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

/** Lints and compiles a description for a folder, in memory; throws if either finds an error. */
export function compile(spec: string, level: LintLevel, out = projectOutput): Promise<Compiled> {
  return rejectDeepReferences(spec, () => compileFile(spec, level, out))
}

async function compileFile(spec: string, level: LintLevel, out: string): Promise<Compiled> {
  const opened = await openDescription(spec)
  const serviceFile = readServiceFile(spec)
  rejectUnknownErrorSchema(serviceFile, opened.document.parsed)
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
    artifacts: await print({ spec, out, description, model, settings: serviceFile.settings }),
    warnings: findings.map(({ line }) => line),
    unserved: describeUnserved(model),
  }
}

/** A description that is compiled for a folder. */
interface Compilation {
  readonly spec: string
  readonly out: string
  readonly description: JsonObject
  readonly model: Description
  readonly settings: Settings
}

async function print(compilation: Compilation): Promise<Artifacts> {
  const { spec, out, description, model, settings } = compilation
  // Loaded here because the compiler of TypeScript takes a while, and may not be needed.
  const { printTypes } = await import('./types.ts')
  const json = `${JSON.stringify(description, undefined, 2)}\n`
  // The same on every machine.
  const name = spec === projectSpec ? 'spec/openapi.yaml' : basename(spec)
  const notice = `// Generated from ${name} by \`npm run generate\`. Do not edit.\n\n`
  const client = relative(out, projectPath('client')).replaceAll('\\', '/')
  const typed = toTypedDescription(withNamesAsIds(normalise(description)))
  return new Map([
    ['openapi.json', json],
    // As sha256sum writes and checks it.
    ['openapi.json.sha256', `${hash('sha256', json)}  openapi.json\n`],
    ['operations.ts', notice + printOperations(model, settings)],
    ['openapi.d.ts', notice + printTypes(typed)],
    ['calls.ts', notice + printCalls(readBundled(typed), client)],
    ['examples.ts', notice + printExamples(model)],
    // As the service sends it, which adds what its configuration changes.
    ['reference.md', printReference(model, codeSamples(model))],
  ])
}
