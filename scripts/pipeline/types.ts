import { createConfig } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'
import { dereference, isObject, type JsonObject, toObject } from './description.ts'

/** The TypeScript types of a bundled description. */
export async function printTypes(description: JsonObject): Promise<string> {
  // The description is bundled and linted already: no second ruleset. It goes over as text because
  // openapi-typescript changes what it is given.
  const redocly = await createConfig({}, { extends: [] })
  return astToString(await openapiTS(adapt(description), { redocly, silent: true }))
}

/** The same description, written so that openapi-typescript takes it for what it says. */
function adapt(description: JsonObject): string {
  const { pathItems: _, ...components } = toObject(description['components'])
  const usesDefs = JSON.stringify(description).includes('/$defs/')
  return JSON.stringify({ ...description, components }, (key, value) => {
    // It would make every `$defs` a required property of the schema that holds it.
    if (key === '$defs' && !usesDefs) return undefined
    return isObject(value) && isInlined(value['$ref']) ? dereference(description, value) : value
  })
}

// It makes every header that is a reference a required one, and declares the operations of a shared
// path item twice.
function isInlined($ref: unknown): boolean {
  return typeof $ref === 'string' && /^#\/components\/(headers|pathItems)\//.test($ref)
}
