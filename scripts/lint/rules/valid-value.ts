import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { multipleOf, regExp } from '../../../server/contract/ajv-keywords.ts'
import { toList, toObject } from '../../../server/description/json.ts'
import { editNodes } from '../../../server/description/nodes.ts'
import { normaliseObject } from '../../../server/description/normalise.ts'
import type { Context } from '../rule.ts'

/** Creates a check that returns why a value does not match a schema, or undefined. */
export function createValueCheck() {
  const ajv = new Ajv2020({ strict: false, logger: false, code: { regExp } })
  addFormats.default(ajv)
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf)

  return function errorOf(schema: unknown, value: unknown, context: Context): string | undefined {
    const isValid = compile(ajv, inlineReferences(schema, context))
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
 * Replaces every `$ref` in a schema by its target, which applies as well as the keywords beside it; a recursive
 * one by a schema that allows anything.
 */
function inlineReferences(
  schema: unknown,
  context: Context,
  file = context.location.source.absoluteRef,
  passed: ReadonlySet<unknown> = new Set(),
): unknown {
  const isOld = context.specVersion === 'oas3_0'
  const current = isOld ? normaliseObject(schema, 'schema') : schema
  return editNodes(current, 'schema', (node) => {
    const { $ref, ...beside } = node
    if (typeof $ref !== 'string') {
      return node
    }

    const { node: target, location } = context.resolve({ $ref }, file)
    if (target === undefined || passed.has(target)) {
      return beside
    }
    const targetFile = location?.source.absoluteRef ?? file
    const part = inlineReferences(target, context, targetFile, new Set([...passed, target]))
    return { ...beside, allOf: [...toList(beside['allOf']), part] }
  })
}
