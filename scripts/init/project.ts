import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isMap, parseDocument, stringify } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { compile } from '../pipeline/artifacts.ts'
import { openDescription } from '../pipeline/bundle.ts'
import { type JsonObject, readBasePath, toList, toObject } from '../pipeline/description.ts'
import { DescriptionError, UsageError } from '../pipeline/failure.ts'
import { findProblems } from '../pipeline/lint.ts'
import { operationsOf } from '../pipeline/operation-entries.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { runProgram } from '../pipeline/programs.ts'
import { projectOutput, projectPath, projectSpec } from '../pipeline/project.ts'
import { buildReferencePage } from '../pipeline/reference-page.ts'
import { printClientReadme, printHandlers, printReadme, printSchema, printTest } from './files.ts'
import { renameProject } from './names.ts'
import { fitPages } from './pages.ts'

/** The API that the project comes with, and what is about it alone. */
const replaced = [
  ...['server/pets', 'test/pets', 'test/client', 'test/system', 'test/types', 'bench'],
  ...['spec/released.yaml', 'spec/score.json', 'spec/workflows.arazzo.yaml', 'CHANGELOG.md'],
  ...['docs/add-an-operation.md', 'docs/add-a-field.md', 'test/tests-of-1.0.0.md'],
  // A project needs them once.
  ...['scripts/init.ts', 'scripts/init', 'test/platform/init'],
]

/** The commands whose files are replaced. */
const replacedScripts = ['init', 'import', 'export', 'bench', 'compare-responses']

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
  'tag-description',
])

/** A description that is ready to replace the API of the project. */
export interface Plan {
  readonly name: string
  readonly description: JsonObject
  /** The house rules that it does not meet. */
  readonly unmet: readonly string[]
}

/**
 * Lints a converted description by the rules of the project; throws if it does not meet one that the
 * platform needs, or if its name is that of a folder of the platform.
 */
export async function planProject(name: string, description: JsonObject): Promise<Plan> {
  if (existsSync(projectPath('server', name)) || existsSync(projectPath('test', name))) {
    throw new UsageError(`the platform has a folder ${name}; choose another --name`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'init-'))
  try {
    const file = join(folder, 'openapi.yaml')
    await writeFile(file, printDescription(description))
    const problems = await findProblems(await openDescription(file), 'strict')
    const needed = problems.filter(({ rule }) => !houseRules.has(rule))
    if (needed.length === 0) {
      return { name, description, unmet: [...new Set(problems.map(({ rule }) => rule))].sort() }
    }
    const advice = 'nothing was changed; fix this in your description, and run init again:'
    throw new DescriptionError([advice, ...needed.map(({ report }) => report)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Replaces the API of the project; returns how many operations it has now. */
export async function replaceApi({ name, description, unmet }: Plan): Promise<number> {
  const operations = operationsOf(description)
  const title = String(toObject(description['info'])['title'])
  for (const path of replaced) await rm(projectPath(path), { recursive: true, force: true })
  await writeProjectFile('spec/openapi.yaml', printDescription(description))
  await writeProjectFile(`server/${name}/handlers.ts`, printHandlers(operations))
  await writeProjectFile(`server/${name}/schema.ts`, printSchema())
  await writeProjectFile(`test/${name}/conformance.test.ts`, printTest())
  await writeProjectFile('README.md', printReadme(name, title))
  const basePath = readBasePath(toList(description['servers'])[0])
  await writeProjectFile('client/README.md', printClientReadme(operations, basePath))
  await edit('server/api.ts', (text) => text.replaceAll('./pets/', `./${name}/`))
  await edit('biome.json', (text) => text.replaceAll('/pets/', `/${name}/`))
  await edit('vitest.config.ts', (text) => text.replace(',pets,', `,${name},`))
  await edit('package.json', (text) => printPackage(JSON.parse(text), description))
  await edit('client/package.json', (text) => printPackage(JSON.parse(text), description))
  await edit('redocly.yaml', (text) => relaxRules(text, unmet))
  const { scripts } = JSON.parse(await readFile(projectPath('package.json'), 'utf8'))
  await fitPages(name, Object.keys(scripts))
  await renameProject([packageJson.name, 'Animal Store'], [name, title])
  await writeFolder(projectOutput, (await compile(projectSpec, 'strict')).artifacts)
  await buildReferencePage(projectOutput)
  // Names that are sorted in the code have a new order.
  await runProgram('@biomejs/biome/bin/biome', ['check', '--write'])
  return operations.length
}

function printDescription(description: JsonObject): string {
  return stringify(description, { lineWidth: 100, aliasDuplicateObjects: false })
}

async function writeProjectFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(projectPath(path)), { recursive: true })
  await writeFile(projectPath(path), text)
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(projectPath(path), change(await readFile(projectPath(path), 'utf8')))
}

/** Returns a manifest with the version of a description, without the repository and the replaced scripts. */
function printPackage(manifest: JsonObject, { info }: JsonObject): string {
  const { title, version } = toObject(info)
  const scripts = Object.entries(toObject(manifest['scripts'])).filter(
    ([script]) => !replacedScripts.includes(script),
  )
  const changed = {
    ...manifest,
    ...{ version, description: `${title}`, repository: undefined },
    ...(scripts.length > 0 && { scripts: Object.fromEntries(scripts) }),
  }
  return `${JSON.stringify(changed, undefined, 2)}\n`
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
