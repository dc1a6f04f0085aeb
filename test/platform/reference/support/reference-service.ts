import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildCodeSamples } from '../../../../scripts/pipeline/reference.ts'
import type { JsonObject } from '../../../../server/description/json.ts'
import { fixtureApi } from '../../../fixture-api/fixture-api.ts'
import { startTestService } from '../../../helpers/service.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** Starts a service on the fixture API with its code samples; both may be of an edited description. */
export async function startReferenceService(
  shown: JsonObject = fixtureApi.description,
  served = shown,
  environment: Readonly<Record<string, string>> = {},
) {
  const folder = createTemporaryFolder()
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(shown))
  await buildCodeSamples(folder)
  const codeSamples = pathToFileURL(join(folder, 'reference/code-samples.json'))
  const api = { ...fixtureApi, description: served, codeSamples }
  return startTestService(environment, undefined, {}, api)
}
