import { readBasePath } from '../../../scripts/pipeline/base-path.ts'
import { type JsonObject, toList } from '../../../scripts/pipeline/description.ts'
import { readOperations } from '../../../scripts/pipeline/operations.ts'
import { loadChecks, printChecks } from '../../support/compiled-validators.ts'
import type { Served } from './served.ts'

/** Makes all of a description that it is served with, as the pipeline would, but for a change. */
export async function compile(root: JsonObject, change = (text: string) => text): Promise<Served> {
  const text: string = JSON.stringify(root)
  const description: Served['description'] = JSON.parse(text)
  const table: string = JSON.stringify(readOperations(root))
  const operations: Served['operations'] = JSON.parse(table)
  const validators = await loadChecks(change(printChecks(root)))
  const basePath = readBasePath(toList(root['servers'])[0])
  return { description, operations, basePath, validators }
}
