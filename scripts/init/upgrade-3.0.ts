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

/** Converts the keywords of OpenAPI 3.0 to JSON Schema 2020-12; descriptions of 3.1 may have them by mistake. */
export function upgradeSchemas(root: Draft): void {
  const is30 = String(root['openapi']).startsWith('3.0.')

  visitObjects(root, (object) => {
    if (is30 && typeof object['$ref'] === 'string') removeIgnored(object)
    listExample(object)

    for (const [limit, exclusive] of limits) {
      convertLimit(object, limit, exclusive)
    }

    convertNullable(object)
  })
}

/** Makes an exclusive limit a number: in 3.0 it is a flag beside the limit. */
function convertLimit(schema: Draft, limit: string, exclusive: string): void {
  const isExclusive = schema[exclusive]
  if (typeof isExclusive !== 'boolean') return

  delete schema[exclusive]
  if (!isExclusive || !(limit in schema)) return

  schema[exclusive] = schema[limit]
  delete schema[limit]
}

function convertNullable(schema: Draft): void {
  const { nullable } = schema
  if (typeof nullable !== 'boolean') return

  delete schema['nullable']
  if (nullable) allowNull(schema)
}

/** Removes the keywords beside a reference, which 3.0 ignores and 3.1 would apply. */
function removeIgnored(reference: Draft): void {
  for (const keyword of Object.keys(reference)) {
    // Many descriptions have these two there, although 3.0 ignores them.
    if (!['$ref', 'description', 'nullable'].includes(keyword)) delete reference[keyword]
  }
}

/** Makes the `example` of a schema a list, as 3.1 has it. Parameters and media types keep theirs. */
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
