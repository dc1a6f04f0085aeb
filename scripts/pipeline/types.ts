import { createConfig } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'
import type { Node } from './description.ts'

/** The TypeScript types of a bundled description. */
export async function printTypes(description: Node): Promise<string> {
  // The description is bundled and linted already: no second ruleset. The copy is needed because
  // openapi-typescript changes what it is given.
  const redocly = await createConfig({}, { extends: [] })
  return astToString(await openapiTS(JSON.stringify(description), { redocly, silent: true }))
}
