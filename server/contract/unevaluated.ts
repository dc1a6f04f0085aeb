import type {
  Ajv2020,
  AnySchema,
  AnySchemaObject,
  ErrorObject,
  FuncKeywordDefinition,
} from 'ajv/dist/2020.js'
import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'
import { compilePattern } from '../description/pattern.ts'
import { escapeToken } from '../description/pointer.ts'
import { appliedSchemas, type Container, fits } from './applied-schemas.ts'
import { maxErrorsOfLoop } from './bounded-errors.ts'

const types = { unevaluatedProperties: 'object', unevaluatedItems: 'array' } as const
type Keyword = keyof typeof types

/**
 * Replaces the keywords `unevaluatedProperties` and `unevaluatedItems` of an instance of Ajv. Its own
 * ones lose the members that stand beside an `if`, reject valid values for that, and can throw.
 *
 * `openChecker` returns the instance that decides which schemas a value fits. That one must have the same
 * schemas, and fill in no defaults.
 */
export function replaceUnevaluated(ajv: Ajv2020, openChecker: () => Ajv2020): void {
  // Ajv would still generate the code that keeps account of members, which can throw.
  ajv.opts.unevaluated = false
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'] as const) {
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      type: types[keyword],
      schemaType: ['boolean', 'object'],
      errors: true,
      compile: (schema, parent) => createValidate(keyword, schema, parent, openChecker),
    })
  }
}

type Validate = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>

function createValidate(
  keyword: Keyword,
  schema: AnySchema,
  parent: AnySchemaObject,
  openChecker: () => Ajv2020,
): Validate {
  const { [keyword]: _, ...beside } = parent
  let findEvaluated: ((data: Container) => ReadonlySet<string>) | undefined
  const validate: Validate = (data: Container, context) => {
    findEvaluated ??= createFindEvaluated(beside, openChecker())
    const evaluated = findEvaluated(data)
    const errors: Partial<ErrorObject>[] = []
    for (const name of Object.keys(data)) {
      if (errors.length >= maxErrorsOfLoop) {
        break
      }
      if (evaluated.has(name)) {
        continue
      }
      const { instancePath = '' } = context ?? {}
      if (schema === false) {
        errors.push(errorAt(keyword, instancePath, name))
      } else {
        errors.push(...errorsOf(schema, name, data, instancePath, openChecker()))
      }
    }
    validate.errors = errors
    return errors.length === 0
  }
  return validate
}

/** Returns a function that finds the members of a value that a schema applies to. */
function createFindEvaluated(schema: JsonObject, checker: Ajv2020) {
  // Of most schemas they are always the same, and to walk a schema costs a microsecond.
  const fixed = fixedNames(schema, checker)
  return (data: Container): ReadonlySet<string> => {
    if (fixed !== undefined) {
      return fixed
    }
    const names = new Set<string>()
    addEvaluated(names, schema, data, checker)
    return names
  }
}

/** Returns the names that a schema applies to whatever the value; undefined if they depend on the value. */
function fixedNames(schema: unknown, checker: Ajv2020): ReadonlySet<string> | undefined {
  if (!isObject(schema)) {
    return new Set()
  }
  if (valueDependent.some((keyword) => keyword in schema)) {
    return undefined
  }
  const { $ref, allOf, properties } = schema
  const parts: unknown[] = [...toList(allOf)]
  if (typeof $ref === 'string') {
    parts.push(checker.getSchema($ref)?.schema)
  }
  const names = new Set(Object.keys(toObject(properties)))
  for (const part of parts) {
    const ofPart = fixedNames(part, checker)
    if (ofPart === undefined) {
      return undefined
    }
    for (const name of ofPart) {
      names.add(name)
    }
  }
  return names
}

const valueDependent = [
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'contains', 'unevaluatedItems'],
  ...['anyOf', 'oneOf', 'if', 'dependentSchemas'],
]

/** Returns the error of a member that no schema allows; that of a property is at its object, as Ajv has it. */
function errorAt(keyword: Keyword, instancePath: string, name: string): Partial<ErrorObject> {
  if (keyword === 'unevaluatedItems') {
    return { keyword, instancePath: `${instancePath}/${name}`, params: {} }
  }
  return { keyword, instancePath, params: { unevaluatedProperty: name } }
}

/** Returns the errors of a member by the schema of all others. */
function errorsOf(
  schema: AnySchema,
  name: string,
  data: Container,
  instancePath: string,
  checker: Ajv2020,
): readonly Partial<ErrorObject>[] {
  const value: unknown = Reflect.get(data, name)
  const validate = checker.compile(schema)
  if (validate(value)) {
    return []
  }
  const path = `${instancePath}/${escapeToken(name)}`
  const errors = validate.errors ?? []
  return errors.map((error) => ({ ...error, instancePath: path + error.instancePath }))
}

/** Adds the names of the members of a value that a schema applies to, or one of those that it is made of. */
function addEvaluated(
  names: Set<string>,
  schema: unknown,
  data: Container,
  checker: Ajv2020,
): void {
  if (!isObject(schema)) {
    return
  }
  const evaluatedNames = Array.isArray(data)
    ? ownIndexes(schema, data, checker)
    : ownNames(schema, data)
  for (const name of evaluatedNames) {
    names.add(name)
  }
  for (const applied of appliedSchemas(schema, data, checker)) {
    addEvaluated(names, applied, data, checker)
  }
}

function ownNames(schema: JsonObject, data: Container): readonly string[] {
  const names = Object.keys(data)
  if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) {
    return names
  }
  const properties = toObject(schema['properties'])
  const patterns = Object.keys(toObject(schema['patternProperties'])).map(compilePattern)
  return names.filter(
    (name) => Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name)),
  )
}

function ownIndexes(
  schema: JsonObject,
  data: readonly unknown[],
  checker: Ajv2020,
): readonly string[] {
  const { prefixItems, contains } = schema
  const indexes = Object.keys(data)
  if ('items' in schema || 'unevaluatedItems' in schema) {
    return indexes
  }
  const first = indexes.slice(0, toList(prefixItems).length)
  if (contains === undefined) {
    return first
  }
  return [...first, ...indexes.filter((index) => fits(contains, data[Number(index)], checker))]
}
