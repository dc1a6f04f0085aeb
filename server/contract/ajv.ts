import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { boundErrors } from './bounded-errors.ts'
import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  lookUp,
  namesIn,
} from './description.ts'
import { canonicalJson } from './i-json.ts'
import { replaceUnevaluated } from './unevaluated.ts'

/** The direction in which values are sent: to the service or by it. */
export type Direction = 'request' | 'response'

/** Compiles schemas of a description, or ones that contain some. */
export type CompileSchema = <Values>(schema: JsonObject) => ValidateFunction<Values>

/**
 * Returns a function that compiles schemas with Ajv; the compiled functions report all errors, but at
 * most about 200 of the items or members of one value.
 * Properties that are `readOnly` are rejected in requests, those that are `writeOnly` in responses, and
 * neither is required where it is rejected.
 */
export function createCompiler(description: Description, direction: Direction): CompileSchema {
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly'
  // A member that an object inherits, such as `constructor`, is none of its own. The check doubles the time.
  const ownProperties = Array.from(namesIn(description)).some((name) => name in Object.prototype)
  let adapted: JsonObject | undefined
  let checker: Ajv2020 | undefined

  function openAjv(useDefaults: boolean): Ajv2020 {
    const options = {
      strict: false,
      validateSchema: false,
      logger: false,
      allErrors: true,
    } as const
    const ajv = new Ajv2020({ ...options, useDefaults, ownProperties })
    addFormats.default(ajv)
    ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
    const validate = (isRejected: boolean): boolean => !isRejected
    ajv.removeKeyword(keyword).addKeyword({ keyword, schemaType: 'boolean', validate })
    ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems)
    replaceUnevaluated(ajv, openChecker)
    boundErrors(ajv)
    adapted ??= toObject(adapt(description))
    return ajv.addSchema(adapted, 'description')
  }

  function openChecker(): Ajv2020 {
    checker ??= openAjv(false)
    return checker
  }

  /**
   * Returns a copy of a description for Ajv: no property with the keyword is required or has a default,
   * and a discriminator chooses the form. `names` are such properties of a schema that this one is a
   * part of.
   */
  function adapt(node: Json | undefined, names: readonly string[] = []): Json | undefined {
    if (Array.isArray(node)) return node.map((item) => adapt(item, names) ?? null)
    if (!isObject(node)) return node
    const all = [...names, ...namesWith(node)]
    const copy: Record<string, Json | undefined> = {}
    for (const [name, child] of Object.entries(node)) {
      copy[name] = adapt(child, name === 'allOf' ? all : [])
    }
    const { $ref, required } = node
    // A schema may be compiled outside of the description.
    if (typeof $ref === 'string') copy['$ref'] = `description${$ref}`
    if (Array.isArray(required)) copy['required'] = required.filter((name) => !all.includes(name))
    if (node[keyword] === true) delete copy['default']
    // Ajv would fill it in before it finds that the property is missing.
    for (const name of Array.isArray(required) ? required : []) {
      delete Object(Object(copy['properties'])[String(name)])['default']
    }
    return withChosenForm(copy)
  }

  /** Returns the names of the properties with the keyword, in a schema and in its parts. */
  function namesWith(schema: JsonObject): string[] {
    return partsOf(schema, description)
      .flatMap(({ properties }) => Object.entries(Object(properties) as JsonObject))
      .filter(([, property]) =>
        partsOf(property, description).some((part) => part[keyword] === true),
      )
      .map(([name]) => name)
  }

  const ajv = openAjv(direction === 'request')
  return <Values>(schema: JsonObject) => ajv.compile<Values>(toObject(adapt(schema)))
}

function toObject(node: Json | undefined): JsonObject {
  return isObject(node) ? node : {}
}

// The keyword of Ajv compares each item with each other one.
const uniqueItems = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (isUnique: boolean, items: readonly unknown[]): boolean =>
    !isUnique || new Set(items.map(canonicalJson)).size === items.length,
} as const

/** Returns a schema, what its `$ref` points to, and the parts of its `allOf`, with theirs. */
function partsOf(schema: Json | undefined, root: Description, depth = 0): JsonObject[] {
  // A schema may be part of itself.
  if (!isObject(schema) || depth > 8) return []
  const { $ref, allOf } = schema
  const referred = typeof $ref === 'string' ? lookUp(root, $ref) : undefined
  const parts = [referred, ...(Array.isArray(allOf) ? allOf : [])]
  return [schema, ...parts.flatMap((part) => partsOf(part, root, depth + 1))]
}

/**
 * Returns a schema in which a discriminator chooses one of the forms, so that a value is validated
 * against that form alone. Forms that are not references are left to `oneOf` or `anyOf`.
 */
function withChosenForm(schema: JsonObject): JsonObject {
  const { discriminator, oneOf, anyOf, ...rest } = schema
  const forms = oneOf ?? anyOf
  if (!isObject(discriminator) || !Array.isArray(forms)) return schema
  const refs = forms.map((form) => (isObject(form) ? form['$ref'] : undefined))
  if (!refs.every((ref) => typeof ref === 'string')) return schema
  const { mapping } = discriminator
  const mapped = Object.entries(isObject(mapping) ? mapping : {}).map(([value, target]) => {
    const name = String(target)
    const pointer = name.includes('/') ? name : `#/components/schemas/${name}`
    return [value, `description${pointer}`] as const
  })
  const unmapped = refs.filter((ref) => !mapped.some(([, target]) => target === ref))
  const choices = [...mapped, ...unmapped.map((ref) => [ref.split('/').at(-1) ?? '', ref] as const)]
  const name = String(discriminator['propertyName'])
  const chosen = {
    type: 'object',
    required: [name],
    properties: { [name]: { enum: choices.map(([value]) => value) } },
    allOf: choices.map(([value, $ref]) => ({
      if: { properties: { [name]: { const: value } }, required: [name] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: { $ref },
    })),
  }
  return { ...rest, allOf: [...(Array.isArray(rest['allOf']) ? rest['allOf'] : []), chosen] }
}
