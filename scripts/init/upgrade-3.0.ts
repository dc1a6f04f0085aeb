import { type Draft, visitObjects } from './draft.ts'

const limits = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const
const combining = ['allOf', 'anyOf', 'oneOf', '$ref']
const beside = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]

/** Writes what OpenAPI 3.0 has of its own as JSON Schema 2020-12 does; what is not 3.0 may have it, too. */
export function upgradeSchemas(root: Draft): void {
  const is30 = String(root['openapi']).startsWith('3.0.')
  visitObjects(root, (object) => {
    if (is30 && typeof object['$ref'] === 'string') removeIgnored(object)
    listExample(object)
    for (const [limit, exclusive] of limits) {
      const isExclusive = object[exclusive]
      if (typeof isExclusive !== 'boolean') continue
      delete object[exclusive]
      if (!isExclusive || !(limit in object)) continue
      object[exclusive] = object[limit]
      delete object[limit]
    }
    const { nullable } = object
    if (typeof nullable !== 'boolean') return
    delete object['nullable']
    if (nullable) allowNull(object)
  })
}

/** Removes what 3.0 ignores beside a reference, and 3.1 would apply. */
function removeIgnored(reference: Draft): void {
  for (const keyword of Object.keys(reference)) {
    // Many write it there, and mean it.
    if (!['$ref', 'description', 'nullable'].includes(keyword)) delete reference[keyword]
  }
}

// The one example of a schema is deprecated in 3.1. Other objects with one have no type.
function listExample(schema: Draft): void {
  const { type, example } = schema
  const isSchema = [type, schema['allOf'], schema['anyOf'], schema['oneOf']].some(
    (value) => typeof value === 'string' || Array.isArray(value),
  )
  if (!isSchema || example === undefined) return
  schema['examples'] ??= [example]
  delete schema['example']
}

function allowNull(schema: Draft): void {
  if (combining.some((keyword) => keyword in schema)) {
    const form: Draft = {}
    for (const keyword of Object.keys(schema).filter((name) => !beside.includes(name))) {
      form[keyword] = schema[keyword]
      delete schema[keyword]
    }
    schema['anyOf'] = [form, { type: 'null' }]
    return
  }
  const { type, enum: values } = schema
  if (type !== undefined) schema['type'] = [...new Set([type, 'null'].flat())]
  if (Array.isArray(values)) schema['enum'] = [...new Set([...values, null])]
}
