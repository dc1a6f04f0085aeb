import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareDescriptions } from '../../../../scripts/diff/compare.ts'
import type { Change } from '../../../../scripts/diff/contract-diff.ts'
import type { Slot } from '../../../../scripts/diff/rules/slots.ts'
import { isObject, type JsonObject } from '../../../../server/description/json.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** A part of a description that is merged into a small one; `null` removes what that has. */
export type Patch = JsonObject

const response = { description: 'Done.' }
const small = {
  openapi: '3.1.0',
  info: { title: 'A', version: '1.0.0' },
  paths: { '/a': { post: { operationId: 'addA', responses: { 200: response } } } },
}

/** Returns a small description with a patch merged into it (RFC 7396). */
export function describe(patch: Patch): JsonObject {
  return toObjectOf(merge(small, patch))
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) {
    return patch
  }
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      Reflect.deleteProperty(merged, key)
    } else {
      merged[key] = merge(merged[key], value)
    }
  }
  return merged
}

function toObjectOf(value: unknown): JsonObject {
  if (!isObject(value)) {
    throw new Error('a patch of a description is no object')
  }
  return value
}

/** Returns a patch of the one operation of the small description. */
export function ofOperation(operation: Patch): Patch {
  return { paths: { '/a': { post: operation } } }
}

/** Returns the changes between two descriptions; `x-service` of one is the `service.yaml` beside it. */
export function findChanges(base: JsonObject, current: JsonObject): readonly Change[] {
  return compareDescriptions(save('base.json', base), save('current.json', current)).changes
}

function save(name: string, { 'x-service': service, ...description }: JsonObject): string {
  const folder = createTemporaryFolder()
  if (service !== undefined) {
    writeFileSync(join(folder, 'service.yaml'), JSON.stringify(service, undefined, 2))
  }
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(description, undefined, 2))
  return file
}

/** Returns a description in which a schema is what a slot names. */
export function placeSchema(slot: Slot, schema: unknown, more: Patch = {}): JsonObject {
  const isProperty = slot.endsWith('-property')
  const placed = isProperty ? { type: 'object', properties: { p: schema } } : schema
  const body = { content: { 'application/json': { schema: placed } } }
  const status = slot.startsWith('error-') ? 404 : 200
  const header = { description: 'Done.', headers: { X: { schema: placed } } }
  const described = describe(more)
  if (slot === 'request-parameter') {
    return describe(
      merged(described, ofOperation({ parameters: [{ name: 'q', in: 'query', schema: placed }] })),
    )
  }
  if (slot.startsWith('request-')) {
    return describe(merged(described, ofOperation({ requestBody: body })))
  }
  const value = slot.endsWith('-header') ? header : { ...body, description: 'Done.' }
  return describe(merged(described, ofOperation({ responses: { [status]: value } })))
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  return toObjectOf(merge(one, other))
}
