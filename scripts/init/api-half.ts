import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { type JsonObject, readBasePath, toList, toObject } from '../pipeline/description.ts'
import { type OperationEntry, operationsOf } from '../pipeline/operation-entries.ts'
import { projectPath } from '../pipeline/project.ts'
import { listApiPackages } from '../platform/packages.ts'
import { type ManifestNames, printLockFile, printManifest } from './manifests.ts'
import type { PlatformVersion } from './platform-version.ts'
import { fillTemplates } from './templates.ts'

/** An API of one's own, as `init` was asked for it. */
export interface NewApi {
  readonly name: string
  /** Its description, converted to one that the service can serve. */
  readonly description: JsonObject
  /** The files of the description as it was given, by path. */
  readonly given: ReadonlyMap<string, Buffer>
  readonly platform: PlatformVersion
}

/** The content of files, by path in the project. */
export type FileContents = ReadonlyMap<string, string | Buffer>

/** Returns every file of the half of a project that belongs to its API, but those that are generated. */
export async function printApiHalf(api: NewApi): Promise<FileContents> {
  const { name, description, given, platform } = api
  const { title, version } = toObject(description['info'])
  const names: ManifestNames = {
    name,
    version: String(version),
    title: String(title).replaceAll(/\s+/g, ' ').trim(),
    apiKeyPrefix: toKeyPrefix(name),
  }

  const files = new Map<string, string | Buffer>()
  for (const [path, content] of given) files.set(`spec/given/${path}`, content)
  files.set('spec/openapi.yaml', printDescription(description))
  const removedPackages = await listApiPackages()
  const manifest = await readText('package.json')
  files.set('package.json', printManifest(manifest, names, platform, removedPackages))
  const lockFile = await readText('package-lock.json')
  files.set('package-lock.json', printLockFile(lockFile, names, removedPackages))
  const templates = await fillTemplates(fieldsOf(names, description))
  for (const [path, text] of templates) files.set(path, text)
  return files
}

/** Returns the values of the fields that the templates have. */
function fieldsOf({ name, version, title }: ManifestNames, description: JsonObject) {
  const operations = operationsOf(description)
  return {
    name,
    title,
    clientDescription: JSON.stringify(`A typed client for ${title}`),
    version,
    titleInCode: JSON.stringify(toObject(description['info'])['title']),
    className: toPascalCase(name),
    basePath: readBasePath(toList(description['servers'])[0]),
    sampledHandlers: operations.map(printSampledHandler).join('\n'),
    operationRows: operations.map(printOperationRow).join('\n'),
  }
}

function printDescription(description: JsonObject): string {
  return stringify(description, {
    lineWidth: 100,
    aliasDuplicateObjects: false,
    // Readers of YAML 1.1 take a date without quotes for no text.
    compat: 'yaml-1.1',
  })
}

/** Returns the line of an operation in the table of handlers. */
function printSampledHandler({ name, method, path }: OperationEntry): string {
  return `    // ${method.toUpperCase()} ${path}\n    ${name}: sampled,`
}

/** Returns the row of an operation in a table of Markdown. */
function printOperationRow({ name, method, path, operation }: OperationEntry): string {
  const summary = String(operation['summary'] ?? '')
  const cell = summary.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()
  return `| \`${name}\` | \`${method.toUpperCase()} ${path}\` | ${cell} |`
}

/** Returns how the API keys of a project begin: `bck` for `book-club`. */
function toKeyPrefix(name: string): string {
  const initials = name.split('-').map((word) => word.charAt(0))
  return `${initials.join('')}k`
}

/** Returns a name in kebab-case as the name of a class: `BookClub` for `book-club`. */
function toPascalCase(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join('')
}

function readText(path: string): Promise<string> {
  return readFile(projectPath(path), 'utf8')
}
