import { createConfig } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'
import { dereference, isObject, type JsonObject } from './description.ts'

/** The TypeScript types of a bundled description. */
export async function printTypes(description: JsonObject): Promise<string> {
  // The description is bundled and linted already: no second ruleset. The copy is needed because
  // openapi-typescript changes what it is given.
  const redocly = await createConfig({}, { extends: [] })
  const source = JSON.stringify(description, (_, value) => inlineHeader(description, value))
  return astToString(await openapiTS(source, { redocly, silent: true }))
}

// openapi-typescript makes every header that is a reference a required one.
function inlineHeader(root: JsonObject, value: unknown): unknown {
  if (!isObject(value) || !String(value['$ref']).startsWith('#/components/headers/')) return value
  return dereference(root, value)
}
