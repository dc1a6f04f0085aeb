import { existsSync } from 'node:fs'
import {
  bundle,
  createConfig,
  type Document,
  getLineColLocation,
  type RawUniversalConfig,
  YamlParseError,
} from '@redocly/openapi-core'
import { readBundled } from '../../server/description/description-reader.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { unservedOperations } from '../../server/description/unserved.ts'
import { UsageError } from '../../server/process/options.ts'
import { commonKey } from '../lint/common-groups.ts'
import { platformKey } from '../lint/common-parts.ts'
import { completion, completionName, completionSettings } from '../lint/completion.ts'
import { extendRoot } from '../lint/extensions.ts'
import { findPlatformFile } from '../lint/platform-file.ts'
import { DescriptionResolver } from './description-resolver.ts'
import { DescriptionError } from './failure.ts'
import { showNames } from './hidden-names.ts'
import { extendOperations } from './operation-names.ts'
import { shortPath } from './project.ts'
import { readServiceFile } from './service-file.ts'

/** A description whose first file could be read, and the resolver that reads the others. */
export interface OpenedDescription {
  readonly file: string
  readonly document: Document
  readonly resolver: DescriptionResolver
}

/** Reads a description's first file and rejects what is not OpenAPI 3. */
export async function openDescription(file: string): Promise<OpenedDescription> {
  const opened = await openFile(file)
  const { parsed } = opened.document
  rejectOtherVersions(opened.document)
  nameMappedSchemas(parsed, toObject(toObject(toObject(parsed)['components'])['schemas']))
  referToPlatform(toObject(parsed), opened.document.source.absoluteRef)
  return opened
}

/**
 * Makes a description refer to the platform's file, if that completes it: a preprocessor of Redocly changes
 * only files that are referred to before it runs.
 */
export function referToPlatform(root: JsonObject, file: string): void {
  const platformFile = findPlatformFile(root, file)
  if (platformFile !== undefined) {
    const common = { $ref: `${platformFile}#/${commonKey}` }
    Object.assign(root, { [platformKey]: { [commonKey]: common } })
  }
}

/** Reads a file of YAML or JSON. */
export async function openFile(file: string): Promise<OpenedDescription> {
  if (!existsSync(file)) {
    throw new UsageError(`there is no file ${shortPath(file)}`)
  }
  const resolver = new DescriptionResolver()
  const document = await resolver
    .resolveDocument(null, file, true)
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  if (document instanceof Error) {
    rejectUnreadable(file, document)
  }
  return { file, document, resolver }
}

/** The configuration that completes descriptions, whatever the rules. */
export const completing: RawUniversalConfig = {
  plugins: [{ id: 'service', ...completion, typeExtension: { oas3: extendRoot } }],
  ...completionSettings,
}

/**
 * Moves everything that a description refers to in other files into one document, with the names of its
 * operations in code, and the response 501 of those that the service does not serve.
 */
export async function bundleDescription(opened: OpenedDescription): Promise<JsonObject> {
  const { file } = opened
  const { operations } = readServiceFile(file)
  const bundled = await bundleFiles(opened, [])
  const unserved = [...unservedOperations(readBundled(bundled)).keys()]
  // The bundler changes what it has read.
  const complete =
    unserved.length === 0 ? bundled : await bundleFiles(await openDescription(file), unserved)
  extendOperations(complete, operations)
  return complete
}

/** Bundles a description; `unserved` are the names of the operations that get a response 501. */
function bundleFiles(
  { file, document: doc, resolver: externalRefResolver }: OpenedDescription,
  unserved: readonly string[],
): Promise<JsonObject> {
  return rejectDeepReferences(file, async () => {
    const preprocessors = { [completionName]: { severity: 'error', unserved } } as const
    const config = await createConfig({ ...completing, preprocessors })
    const { bundle: bundled } = await bundle({ doc, config, externalRefResolver })
    return showNames(toObject(bundled.parsed))
  })
}

/** Runs what follows references; throws a `DescriptionError` if they lead over too many schemas for the stack. */
export async function rejectDeepReferences<Result>(
  file: string,
  follow: () => Promise<Result>,
): Promise<Result> {
  try {
    return await follow()
  } catch (error) {
    const isTooDeep = error instanceof RangeError && /call stack/.test(error.message)
    if (!isTooDeep) {
      throw error
    }

    throw new DescriptionError([
      `${shortPath(file)}:1:1 reference-depth References lead from schema to schema over hundreds of steps, more than can be followed; let one of them be a schema without a $ref.`,
    ])
  }
}

function rejectUnreadable(file: string, error: Error): never {
  if (!(error instanceof YamlParseError)) {
    throw new UsageError(`${shortPath(file)} cannot be read: ${error.message}`)
  }
  // The message ends with the file and the position, which the line begins with.
  const [reason] = error.originalError.message.split(' in "')
  // The parser reports no position for a second document.
  const line = error.line || 1
  const column = error.col || 1
  throw new DescriptionError([`${shortPath(file)}:${line}:${column} syntax ${reason}`])
}

function rejectOtherVersions({ source, parsed }: Document): void {
  const { openapi, swagger } = toObject(parsed)
  if (typeof openapi === 'string' && /^3\.[012]\.\d+/.test(openapi)) {
    return
  }
  const version = openapi ?? swagger
  const what = version === undefined ? 'no OpenAPI description' : `OpenAPI ${version}`
  const pointer = openapi === undefined ? '#/swagger' : '#/openapi'
  const at = { source, pointer: version === undefined ? '#/' : pointer, reportOnKey: false }
  const { line, col } = getLineColLocation(at).start
  const advice = swagger === undefined ? '' : '; convert it, for example with swagger2openapi'
  throw new DescriptionError([
    `${shortPath(source.absoluteRef)}:${line}:${col} openapi-version It is ${what}; it must begin with openapi: 3.0.x, 3.1.x or 3.2.x, such as 3.1.0${advice}`,
  ])
}

/** Replaces names of schemas in `discriminator.mapping`, which Redocly takes for files, by references. */
function nameMappedSchemas(node: unknown, schemas: JsonObject): void {
  if (typeof node !== 'object' || node === null) {
    return
  }
  const mapping = toObject(toObject(toObject(node)['discriminator'])['mapping'])
  for (const [value, name] of Object.entries(mapping)) {
    if (!Object.hasOwn(schemas, String(name))) {
      continue
    }
    Object.assign(mapping, { [value]: `#/components/schemas/${name}` })
  }
  for (const child of Object.values(node)) {
    nameMappedSchemas(child, schemas)
  }
}
