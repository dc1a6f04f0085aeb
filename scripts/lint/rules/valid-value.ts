import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isObject, toObject } from '../../../server/description/json.ts'
import { multipleOf } from '../../../server/description/multiple-of.ts'
import { regExp } from '../../../server/description/pattern.ts'
import type { Context } from '../rule.ts'

/** Creates a check that returns why a value does not match a schema, or undefined. */
export function createValueCheck() {
  const ajv = new Ajv2020({ strict: false, logger: false, code: { regExp } })
  addFormats.default(ajv)
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf)

  return function errorOf(schema: unknown, value: unknown, context: Context): string | undefined {
    const isValid = compile(ajv, inline(schema, context))
    if (isValid === undefined || isValid(value)) {
      return undefined
    }
    return ajv.errorsText(isValid.errors, { dataVar: '' }).trim()
  }
}

// Other rules report what keeps a schema from being compiled: an unknown type, an invalid pattern.
function compile(ajv: Ajv2020, schema: unknown): ValidateFunction | undefined {
  try {
    return ajv.compile(toObject(schema))
  } catch {
    return undefined
  }
}

/**
 * Replaces every `$ref` in a value by its target, in which keys beside it win; a recursive one by a
 * schema that allows anything.
 */
export function inline(
  value: unknown,
  context: Context,
  file = context.location.source.absoluteRef,
  seen: ReadonlySet<unknown> = new Set(),
): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => inline(item, context, file, seen))
  }
  if (!isObject(value)) {
    return value
  }
  const { $ref, ...beside } = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, inline(item, context, file, seen)]),
  )
  if (typeof $ref !== 'string') {
    return $ref === undefined ? beside : { $ref, ...beside }
  }
  const { node, location } = context.resolve(value, file)
  const targetFile = location?.source.absoluteRef ?? file
  const passed = new Set([...seen, node])
  const target = seen.has(node) ? {} : inline(node, context, targetFile, passed)
  return isObject(target) ? { ...target, ...beside } : target
}
