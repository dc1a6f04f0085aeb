import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleDescription, openDescription } from '../../scripts/pipeline/bundle.ts'
import { readBasePath, readOperations } from '../../scripts/pipeline/operations.ts'
import { projectPath } from '../../scripts/pipeline/project.ts'
import type { AnyHandler } from '../../server/contract/handler.ts'
import type { Operation } from '../../server/contract/operation.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import type { JsonObject } from '../../server/description/json.ts'
import type { Api } from '../../server/served-api.ts'
import { fixtureApi } from '../fixture-api/fixture-api.ts'
import { createTemporaryFolder, type Until } from './temporary-folder.ts'

/** Compiles a description beside the platform's file, as that of a project is. */
export async function bundleBesidePlatform(
  description: object,
  until?: Until,
): Promise<JsonObject> {
  const folder = createTemporaryFolder(until)
  await copyFile(projectPath('spec/platform.yaml'), join(folder, 'platform.yaml'))
  const spec = join(folder, 'openapi.yaml')
  await writeFile(spec, JSON.stringify(description))
  return bundleDescription(await openDescription(spec))
}

/** Returns an API of a compiled description, with a handler for each operationId. */
export function toApi(
  bundled: JsonObject,
  handlerOf: (operationId: string) => AnyHandler,
  createAuthenticators: Api['createAuthenticators'],
): Api {
  const model = readBundled(bundled)
  const table: Readonly<Record<string, Operation>> = JSON.parse(
    JSON.stringify(readOperations(model)),
  )
  const handlers = Object.keys(table).map((id): [string, AnyHandler] => [id, handlerOf(id)])
  return {
    ...fixtureApi,
    description: bundled,
    operations: table,
    basePath: readBasePath(model),
    createHandlers: () => Object.fromEntries(handlers),
    createAuthenticators,
  }
}
