import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, type JsonObject, memberOf, toObject } from '../description/json.ts'
import type { Located } from '../description/location.ts'
import { isMarked, type References } from '../description/schemas.ts'
import { appliedSchemas, type Container } from './applied-schemas.ts'
import { memberSchemas } from './member-schemas.ts'

/**
 * Removes the `readOnly` members of a value: a client may send back what it got. A member that a part of the
 * schema rules out is kept. `checker` has the description that the schema refers to.
 */
export function removeReadOnly(schema: unknown, value: unknown, checker: Ajv2020): void {
  const references: References = {
    tryNext: ({ file, value: node }) => {
      const { $ref } = toObject(node)
      const target = typeof $ref === 'string' ? checker.getSchema($ref)?.schema : undefined
      return target === undefined ? undefined : { file, pointer: String($ref), value: target }
    },
  }
  const locate = (value: unknown): Located => ({ file: '', pointer: '#', value })
  const isReadOnly = (member: unknown) => isMarked(locate(member), 'readOnly', references)

  /** `schemas` all apply to the value. */
  function removeFrom(schemas: readonly unknown[], holder: unknown): void {
    if (!isContainer(holder)) {
      return
    }

    const applied = new Set<JsonObject>()
    for (const each of schemas) {
      collectApplied(each, holder, checker, applied)
    }
    for (const key of Object.keys(holder)) {
      const ofMember = [...applied]
        .flatMap((each) => memberSchemas(locate(each), key, holder))
        .map(({ value: member }) => member)
      const isRemoved = !Array.isArray(holder) && ofMember.some(isReadOnly)
      if (isRemoved && !ofMember.includes(false)) {
        Reflect.deleteProperty(holder, key)
      } else {
        removeFrom(ofMember, memberOf(holder, key))
      }
    }
  }

  removeFrom([schema], value)
}

function isContainer(value: unknown): value is Container {
  return isObject(value) || Array.isArray(value)
}

/** Adds a schema, and those that it applies to the same value. */
function collectApplied(
  schema: unknown,
  value: Container,
  checker: Ajv2020,
  applied: Set<JsonObject>,
): void {
  if (!isObject(schema) || applied.has(schema)) {
    return
  }
  applied.add(schema)
  for (const each of appliedSchemas(schema, value, checker)) {
    collectApplied(each, value, checker, applied)
  }
}
