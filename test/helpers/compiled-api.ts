import { mkdirSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bundleDescription, openDescription } from '../../scripts/pipeline/bundle.ts'
import { readBasePath, readOperations } from '../../scripts/pipeline/operations.ts'
import { projectPath } from '../../scripts/pipeline/project.ts'
import type { AnyHandler } from '../../server/contract/handler.ts'
import type { Operation } from '../../server/contract/operation.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import type { JsonObject } from '../../server/description/json.ts'
import type { Api } from '../../server/served-api.ts'
import { fixtureApi } from '../fixture-api/fixture-api.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Writes files, whose contents are texts or values for JSON; returns their folder. */
export function writeFiles(files: Readonly<Record<string, unknown>>): string {
  const folder = createTemporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** Bundles a description beside the platform's file, as that of a project is, with its `service.yaml`, if any. */
export async function bundleBesidePlatform(
  description: object,
  serviceFile: object = {},
): Promise<JsonObject> {
  const folder = writeFiles({ 'openapi.yaml': description, 'service.yaml': serviceFile })
  await copyFile(projectPath('spec/platform.yaml'), join(folder, 'platform.yaml'))
  return bundleDescription(await openDescription(join(folder, 'openapi.yaml')))
}

/** Returns an API of a bundled description, with one handler for all of its operations. */
export function toApi(bundled: JsonObject, handler: AnyHandler): Api {
  const model = readBundled(bundled)
  const table: Readonly<Record<string, Operation>> = JSON.parse(
    JSON.stringify(readOperations(model)),
  )
  const served = Object.values(table).filter(({ unserved }) => unserved === undefined)
  const handlers = served.map(({ operationId }) => [operationId, handler] as const)
  return {
    ...fixtureApi,
    description: bundled,
    operations: table,
    basePath: readBasePath(model),
    createHandlers: () => Object.fromEntries(handlers),
  }
}
