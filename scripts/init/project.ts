import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { parseDocument, stringify } from 'yaml'
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
import { adaptPages } from './pages.ts'
import { lintConverted } from './rejected.ts'

/** Files and folders of the animal store alone. */
const replaced = [
  'server/api',
  'test/api',
  'test/platform/client',
  'test/platform',
  'test/platform/types',
  'bench',
  'spec/released.yaml',
  'spec/workflows.arazzo.yaml',
  'CHANGELOG.md',
  'docs/add-an-operation.md',
  'docs/add-a-field.md',
  'docs/adr/0001-gaps-of-the-interface.md',
  'docs/adr/0018-words.md',
  // A project runs init once.
  'scripts/init.ts',
  'scripts/init',
  'test/platform/init',
]

/** The commands whose files are removed. */
const removedScripts = ['init', 'import', 'export', 'bench', 'keep-store', 'compare-responses']

/** Throws if the platform has a folder of that name, or if changes that are not committed would be lost. */
export async function rejectProject(name: string): Promise<void> {
  const isFolder = ['server', 'test'].some((folder) => existsSync(projectPath(folder, name)))
  const patterns = await Promise.all(['biome.json', '.gitignore'].map(readProjectFile))
  const isNamed = new RegExp(`(?:\\*\\*/|^)${name}/`, 'm').test(patterns.join('\n'))
  // server/api and test/api are removed.
  if (name !== 'pets' && (isFolder || isNamed)) {
    throw new UsageError(`the platform has a folder ${name}; choose another --name`)
  }
  const args = ['status', '--porcelain', '--untracked-files=all', '--', '.']
  // Without git or a repository, there are no commits to compare with.
  const none = () => ({ stdout: '' })
  const { stdout } = await promisify(execFile)('git', args, { cwd: projectPath() }).catch(none)
  const lost = stdout.split('\n').filter((line) => {
    const isTracked = line !== '' && !line.startsWith('??')
    return isTracked || replaced.some((path) => line.startsWith(`?? ${path}`))
  })
  if (lost.length === 0) return
  const advice = 'init replaces many files, and these have changes; commit or stash them first:'
  throw new UsageError([advice, ...lost].join('\n'))
}

/** Throws if a converted description breaks a rule that the platform needs; `file` is the one before the conversion. */
export async function rejectInvalid(file: string, description: JsonObject): Promise<void> {
  const problems = await lintConverted(description)
  const needed = problems.filter(({ severity }) => severity === 'error')
  if (needed.length === 0) return
  const advice = 'nothing was changed; fix this in your description, and run init again:'
  const lines = needed.map(
    ({ rule, message, pointer }) => `${shortPath(file)}${pointer} ${rule} ${message}`,
  )
  throw new DescriptionError([advice, ...new Set(lines)])
}

/** Replaces the API of the project. Returns the number of operations. */
export async function replaceApi(name: string, description: JsonObject): Promise<number> {
  const operations = operationsOf(description)
  const title = String(toObject(description['info'])['title'])
  for (const path of replaced) await rm(projectPath(path), { recursive: true, force: true })
  const spec = stringify(description, {
    lineWidth: 100,
    aliasDuplicateObjects: false,
    // Readers of YAML 1.1 take a date without quotes for no text.
    compat: 'yaml-1.1',
  })
  await writeProjectFile('spec/openapi.yaml', spec)
  await writeProjectFile(`server/${name}/handlers.ts`, printHandlers(operations))
  await writeProjectFile(`server/${name}/schema.ts`, printSchema())
  await writeProjectFile(`test/${name}/conformance.test.ts`, printTest())
  await writeProjectFile('README.md', printReadme(name, title))
  const basePath = readBasePath(toList(description['servers'])[0])
  await writeProjectFile('client/README.md', printClientReadme(name, title, operations, basePath))
  await edit('server/served-api.ts', (text) => text.replaceAll('./pets/', `./${name}/`))
  await edit('biome.json', (text) =>
    text.replace(', "!server/api/bulk/**"', '').replaceAll('/pets/', `/${name}/`),
  )
  await edit('tsconfig.json', (text) => text.replace(' "bench",', ''))
  await edit('vitest.config.ts', (text) => text.replace(',pets,', `,${name},`))
  await edit('package.json', (text) => convertManifest(text, description))
  await edit('client/package.json', (text) => convertManifest(text, description))
  await edit('redocly.yaml', withoutStyle)
  const { scripts } = JSON.parse(await readProjectFile('package.json'))
  await adaptPages(name, Object.keys(scripts))
  await renameProject([packageJson.name, 'Animal Store'], [name, title])
  await writeFolder(projectOutput, (await compile(projectSpec, 'strict')).artifacts)
  await buildReferencePage(projectOutput)
  // Imports that are sorted by name have a new order.
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

/** Returns a package.json with the title and version of a description, without removed scripts. */
function convertManifest(text: string, { info }: JsonObject): string {
  const manifest: { repository?: unknown; scripts?: Record<string, string> } = JSON.parse(text)
  const { title, version } = toObject(info)
  Object.assign(manifest, { version, description: title })
  delete manifest.repository
  for (const script of removedScripts) delete manifest.scripts?.[script]
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Returns `redocly.yaml` without the rules of style, and without the workflows. */
function withoutStyle(text: string): string {
  const config = parseDocument(text.replace('service/house', 'service/served'))
  config.deleteIn(['apis', 'workflows'])
  return config.toString({ lineWidth: 0 })
}
