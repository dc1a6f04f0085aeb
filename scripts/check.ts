import { basename, join } from 'node:path'
import { readBundled } from '../server/description/description-reader.ts'
import type { JsonObject } from '../server/description/json.ts'
import { checkApiFiles } from './checks/api-files.ts'
import { checkHandlers } from './checks/handlers.ts'
import { checkProjectResponses } from './checks/own-responses.ts'
import { checkSamples } from './checks/samples.ts'
import { checkWorkflows } from './checks/workflows.ts'
import { checkRelease, snippetsOf, toLines } from './diff/gate.ts'
import { type Compiled, compile } from './pipeline/artifacts.ts'
import { reportOf, runPlainCommand } from './pipeline/failure.ts'
import { readOperations } from './pipeline/operations.ts'
import { compareFolder } from './pipeline/output-folder.ts'
import { runProgram } from './pipeline/programs.ts'
import { projectOutput, projectPath, projectSpec, shortPath } from './pipeline/project.ts'
import { summarizeWarnings } from './pipeline/warnings.ts'

if (import.meta.main) {
  await runPlainCommand('npm run check', async () => {
    if (!(await runChecks())) {
      process.exitCode = 1
    }
  })
}

/** Checks all but the tests, for the version of the description or another; returns whether all passed. */
export async function runChecks(version?: string): Promise<boolean> {
  const compiling = compile(projectSpec, 'strict')
  const results = await Promise.all([
    runStep('spec lint and freshness of generated/', (note) => checkContract(compiling, note)),
    runStep('version, sunsets and stored values since the last release', (note, paste) =>
      checkGate(note, paste, version),
    ),
    runStep('API workflows (Arazzo)', checkWorkflows),
    runStep('parameters that handlers read', (note) => checkParameters(compiling, note)),
    runStep('samples of operations without a handler', (note) => noteSamples(compiling, note)),
    runStep('code lint and format', checkCode),
    runStep('files of the API', checkApiFiles),
    runStep('types', checkTypes),
  ])
  const failed = results.filter((hasPassed) => !hasPassed)
  if (failed.length > 0) {
    console.log(`${failed.length} of ${results.length} failed`)
  }
  return failed.length === 0
}

type Note = (line: string) => void

/**
 * Runs a check and prints the lines of each error, its notes, and without indentation what is to be
 * pasted; returns whether it found no errors.
 */
async function runStep(
  name: string,
  check: (note: Note, paste: Note) => Promise<readonly string[]>,
): Promise<boolean> {
  const start = performance.now()
  const notes: string[] = []
  const snippets: string[] = []
  const note = (line: string) => notes.push(line)
  const paste = (snippet: string) => snippets.push(snippet)
  const errors = await check(note, paste).catch(reportOf)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${errors.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  for (const text of [...notes, ...errors]) {
    console.log(text.replaceAll(/^/gm, '  '))
  }
  for (const snippet of snippets) {
    console.log(`\n${snippet}\n`)
  }
  return errors.length === 0
}

async function checkContract(compiling: Promise<Compiled>, note: Note): Promise<readonly string[]> {
  const { artifacts, warnings, unserved } = await compiling
  const ownResponses = await checkProjectResponses(artifacts.get('openapi.json') ?? '')
  summarizeWarnings([...warnings, ...ownResponses.warnings]).forEach(note)
  unserved.forEach(note)

  const problems = await compareFolder(projectOutput, artifacts)
  const staleFiles = Array.from(problems, ([name, problem]) => {
    return `${shortPath(join(projectOutput, name))} ${problem}`
  })
  return [...ownResponses.errors, ...staleFiles]
}

/** Compares the description with the last release: version, sunsets and stored values. */
async function checkGate(note: Note, paste: Note, version?: string): Promise<readonly string[]> {
  const { errors, notes } = await checkRelease(version)
  notes.forEach(note)
  snippetsOf(errors).forEach(paste)
  return toLines(errors)
}

/** Looks for parameters of the description that no handler reads. */
async function checkParameters(
  compiling: Promise<Compiled>,
  note: Note,
): Promise<readonly string[]> {
  const compiled = await compiling.catch(() => undefined)
  if (compiled === undefined) {
    note('skipped, because the spec is invalid')
    return []
  }
  const description: JsonObject = JSON.parse(compiled.artifacts.get('openapi.json') ?? '')
  const findings = await checkHandlers(Object.entries(readOperations(readBundled(description))))
  return findings.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
}

/** Notes the operations without a handler for which there is no sample. */
async function noteSamples(compiling: Promise<Compiled>, note: Note): Promise<readonly string[]> {
  const compiled = await compiling.catch(() => undefined)
  if (compiled === undefined) {
    note('skipped, because the spec is invalid')
    return []
  }
  const lines = await checkSamples(compiled.artifacts.get('openapi.json') ?? '')
  lines.forEach(note)
  return []
}

async function checkTypes(): Promise<string[]> {
  const errors = await compileTypes('tsconfig.json')
  if (errors.length > 0) {
    return errors
  }

  // As `npm run build` does: the project's own settings skip what is wrong in generated/openapi.d.ts.
  return compileTypes('client')
}

/** Checks the types of a TypeScript project; returns the lines that the compiler prints if it finds errors. */
function compileTypes(path: string): Promise<string[]> {
  const name = basename(path, '.json')
  return runProgram('typescript7/bin/tsc', [
    ...['-p', path, '--noEmit'],
    // Each checker computes the types of the libraries for itself: the usual four take a third more CPU
    // time, which other steps need.
    ...['--checkers', '2'],
    // The compiler keeps its results in a file, and checks only the files that an edit concerns.
    ...['--incremental', '--tsBuildInfoFile', projectPath(`data/check-${name}.tsbuildinfo`)],
  ])
}

async function checkCode(): Promise<string[]> {
  const options = ['--error-on-warnings', '--max-diagnostics=none']
  const errors = await runProgram('@biomejs/biome/bin/biome', ['check', ...options])
  return errors.length === 0 ? [] : [...errors, 'most of this is fixed by: npm run format']
}
