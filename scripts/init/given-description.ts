import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Description } from '../../server/description/description.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { routedOperations } from '../../server/description/operations.ts'
import { platformName } from '../lint/platform-file.ts'
import {
  bundleDescription,
  openDescription,
  openFile,
  rejectDeepReferences,
} from '../pipeline/bundle.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { neededPrefix } from '../pipeline/hidden-operations.ts'
import { findProblems } from '../pipeline/lint.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { serviceFileName } from '../pipeline/service-file.ts'
import { isVersion } from '../pipeline/version.ts'
import { chooseErrors } from './error-format.ts'
import { type PlacedFile, readGivenFiles } from './given-files.ts'
import { nameOperations } from './operation-names.ts'
import { printServiceFile, toReleaseVersion } from './service-file.ts'

/** A description that was given to `init`, with what the platform must know beside it. */
export interface GivenDescription {
  readonly files: readonly PlacedFile[]
  /** The text of its `service.yaml`. */
  readonly serviceFile: string
  /** The text of its `server/api/error-format.ts`. */
  readonly errorFormat: string
  /** What is left to do. */
  readonly notes: readonly string[]
  /** The version of its releases. */
  readonly version: string
  /** All of it in one document, as the project will compile it. */
  readonly description: JsonObject
  readonly model: Description
}

/** Reads a description as a project of its own would; throws if the service cannot be made of it. */
export async function readGivenDescription(file: string): Promise<GivenDescription> {
  // A file that cannot be read, or is no description, is reported before its references are followed.
  await openFile(file)
  const files = readGivenFiles(file)
  const folder = await mkdtemp(join(tmpdir(), 'given-description-'))
  try {
    return await readPlaced(folder, files)
  } catch (error) {
    throw error instanceof DescriptionError ? withOriginalPaths(error, folder, files) : error
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readPlaced(folder: string, files: readonly PlacedFile[]): Promise<GivenDescription> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  await copyFile(projectPath('spec', platformName), join(folder, platformName))

  const spec = join(folder, 'openapi.yaml')
  await rejectInvalid(spec)
  const unnamed = readBundled(await bundleDescription(await openDescription(spec)))
  const { apiVersion } = unnamed
  const ownVersion = isVersion(apiVersion) ? undefined : toReleaseVersion(apiVersion)
  const names = nameOperations(routedOperations(unnamed))
  const errors = chooseErrors(spec, names)
  const serviceFile = printServiceFile({
    version: ownVersion,
    names,
    platformPaths: neededPrefix(unnamed),
    hasLargeIntegers: /"format":"u?int64"/.test(JSON.stringify(unnamed.documents.root.value)),
    errors: errors.settings,
  })

  await writeFile(join(folder, serviceFileName), serviceFile)
  const description = await bundleDescription(await openDescription(spec))
  const model = readBundled(description)
  const version = ownVersion ?? apiVersion
  const { code: errorFormat, note } = errors
  const notes = note === undefined ? [] : [note]
  return { files, serviceFile, errorFormat, notes, version, description, model }
}

/** Throws if a description breaks a rule without which the service would not do what it says. */
async function rejectInvalid(spec: string): Promise<void> {
  const opened = await openDescription(spec)
  const findings = await rejectDeepReferences(spec, () => findProblems(opened, 'served'))
  const errors = findings.filter(({ isError }) => isError)
  if (errors.length > 0) {
    const advice = 'nothing was changed; fix this in your description, and run init again:'
    throw new DescriptionError([advice, ...errors.map(({ line }) => line)])
  }
}

/** Returns an error about files below a folder as one about the files that were given. */
function withOriginalPaths(
  { message }: DescriptionError,
  folder: string,
  files: readonly PlacedFile[],
): DescriptionError {
  const lines = message.split('\n').map((line) => {
    const file = files.find(({ path }) => line.startsWith(`${shortPath(join(folder, path))}:`))
    if (file === undefined) {
      return line
    }
    const placedPath = shortPath(join(folder, file.path))
    return shortPath(file.original) + line.slice(placedPath.length)
  })
  return new DescriptionError(lines)
}
