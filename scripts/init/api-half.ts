import { readFile } from 'node:fs/promises'
import type { Description, Operation } from '../../server/description/description.ts'
import { isJsonType } from '../../server/description/media-types.ts'
import { idOf } from '../../server/description/operations.ts'
import { servedOperations } from '../../server/description/unserved.ts'
import { neededPrefix } from '../pipeline/hidden-operations.ts'
import { readBasePath } from '../pipeline/operations.ts'
import { projectPath } from '../pipeline/project.ts'
import { serviceFileName } from '../pipeline/service-file.ts'
import type { Marker } from '../platform/marker.ts'
import { listApiPackages } from '../platform/packages.ts'
import { printAuthenticators } from './authenticators.ts'
import { printClientFields } from './client-fields.ts'
import type { GivenDescription } from './given-description.ts'
import { printBalancerValues, printProbePatches } from './health-checks.ts'
import { type ManifestNames, printLockFile, printManifest } from './manifests.ts'
import { fillTemplates } from './templates.ts'

/** An API of one's own, as `init` was asked for it. */
export interface NewApi {
  readonly name: string
  /** How its API keys begin. */
  readonly apiKeyPrefix: string
  readonly description: GivenDescription
  readonly platform: Partial<Marker>
}

/** The content of files, by path in the project. */
export type FileContents = ReadonlyMap<string, string | Buffer>

/** Returns every file of the half of a project that belongs to its API, but those that are generated. */
export async function printApiHalf(api: NewApi): Promise<FileContents> {
  const { name, apiKeyPrefix, description, platform } = api
  const { version, model } = description
  const names: ManifestNames = {
    name,
    version,
    title: toLine(model.info.texts['title']),
    apiKeyPrefix,
  }

  const files = new Map<string, string | Buffer>()
  for (const { path, content } of description.files) {
    files.set(`spec/${path}`, content)
  }
  files.set(`spec/${serviceFileName}`, description.serviceFile)
  const removedPackages = await listApiPackages()
  const manifest = await readText('package.json')
  files.set('package.json', printManifest(manifest, names, platform, removedPackages))
  const lockFile = await readText('package-lock.json')
  files.set('package-lock.json', printLockFile(lockFile, names, removedPackages))
  const templates = await fillTemplates(fieldsOf(names, model))
  for (const [path, text] of templates) {
    files.set(path, text)
  }
  // The template is for projects that have none yet.
  files.set('server/api/error-format.ts', description.errorFormat)
  const prefix = neededPrefix(model)
  if (prefix !== undefined) {
    files.set('deploy/values/balancer.env', printBalancerValues(prefix))
  }
  return files
}

/** Returns the values of the fields that the templates have. */
function fieldsOf({ name, version, title }: ManifestNames, model: Description) {
  const operations = servedOperations(model)
  const className = toPascalCase(name)
  return {
    name,
    titleInMarkdown: escapeMarkdown(title),
    clientDescription: JSON.stringify(`A typed client for ${title}`),
    version,
    titleInCode: JSON.stringify(model.info.texts['title']),
    className,
    basePath: readBasePath(model),
    pagePrefix: neededPrefix(model) ?? '',
    probePatches: printProbePatches(neededPrefix(model)),
    ...printAuthenticators([...model.securitySchemes.values()]),
    ...printClientFields(model, className),
    handlersImport: printHandlersImport(operations.length > 0),
    sampledHandlers: operations.map(printSampledHandler).join('\n'),
    operationRows: operations.map(printOperationRow).join('\n'),
    contentNote: operations.some(hasOtherContent) ? `\n\n${contentNote}` : '',
  }
}

/** Returns the import of the table of handlers; no handler is sampled in an API without a served operation. */
function printHandlersImport(hasOperations: boolean): string {
  const from = "from '../contract/handler.ts'"
  return hasOperations
    ? `import { type Handlers, sampled } ${from}`
    : `import type { Handlers } ${from}`
}

/** Returns the line of an operation in the table of handlers. */
function printSampledHandler(operation: Operation): string {
  const { method, path } = operation
  return `    // ${method} ${path}\n    ${idOf(operation)}: sampled,`
}

/** Returns the row of an operation in a table of Markdown: its summary, or what its name says. */
function printOperationRow(operation: Operation): string {
  const { method, path, texts } = operation
  const name = idOf(operation)
  const summary = toLine(texts['summary'])
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_+/g, ' ').toLowerCase()
  const cell = escapeMarkdown(summary === '' ? words : summary)
  return `| \`${name}\` | \`${method} ${path}\` | ${cell} |`
}

/** Returns whether an operation takes or returns other content than JSON, such as files, forms and streams. */
function hasOtherContent({ body, responses }: Operation): boolean {
  const successes = responses.filter(({ isSuccess }) => isSuccess)
  const content = [body, ...successes].flatMap((each) => each?.content ?? [])
  return content.some(({ name }) => !isJsonType(name))
}

const contentNote =
  'Files, forms, streams of items and the option `accept`, which chooses one of several media types, are described in `docs/client-content.md` in the repository of the service. A stream is requested when its loop begins, and is iterated once.'

/** Returns a text of the description as one line. */
function toLine(text: unknown = ''): string {
  return String(text).replaceAll(/\s+/g, ' ').trim()
}

/** Returns a line whose characters mean nothing else in Markdown, also in the cell of a table. */
function escapeMarkdown(line: string): string {
  return line.replaceAll(/[\\`*_[\]<>&|~#]/g, '\\$&')
}

/**
 * Returns how the API keys of a project begin: `book` for `book-club`. It is a word of the team's own: the
 * first letters of several words could form an unfortunate one.
 */
export function toKeyPrefix(name: string): string {
  const [firstWord = name] = name.split('-')
  return firstWord
}

/** Returns a name in kebab-case as the name of a class: `BookClub` for `book-club`. */
function toPascalCase(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join('')
}

function readText(path: string): Promise<string> {
  return readFile(projectPath(path), 'utf8')
}
