import fc from 'fast-check'
import { type Json, toObject } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import { isClosed, listOf, type Schema } from './schema.ts'
import type { Within } from './within.ts'

type Objects = fc.Arbitrary<Schema>

/** What breaks a schema in an object, or in one of its fields. */
export function fieldBreaks(flat: Schema, within: Within): Break[] {
  const whole = within.valuesOf({ ...flat, type: 'object' }).map(toObject)
  const missing = listOf(flat['required']).map((name) => ({
    keyword: 'required',
    place: tokenOf(String(name)),
    values: whole.map(({ [String(name)]: _left, ...others }) => others),
  }))
  return [
    ...inFields(flat, whole, within),
    ...missing,
    ...unknownField(flat, whole),
    ...countBreaks(flat, whole),
  ]
}

/** Objects in one field of which is what breaks, or reaches the limits of, the schema of that field. */
export function inFields(flat: Schema, whole: Objects, { breaksOf }: Within): Break[] {
  const { additionalProperties: unnamed } = flat
  // A name that is not described stands for all of them.
  const more = typeof unnamed === 'object' ? [['another', unnamed] as const] : []
  const fields = [...Object.entries(toObject(flat['properties'])), ...more]
  return fields.flatMap(([name, schema]) =>
    breaksOf(schema).map(({ place, values, ...others }) => ({
      ...others,
      place: tokenOf(name) + place,
      values: fc.tuple(whole, values).map(([all, value]) => withField(all, name, value)),
    })),
  )
}

function unknownField(flat: Schema, whole: Objects): Break[] {
  if (!isClosed(flat)) return []
  const known = Object.keys(toObject(flat['properties']))
  const near = known.flatMap((name) => [name.toUpperCase(), `${name}s`, ` ${name}`, `_${name}`])
  const any = fc.string({ unit: 'binary', maxLength: 12 })
  const names = fc
    .oneof(fc.constantFrom(...near, 'id', '__proto__', 'constructor', '', '~a/b'), any)
    .filter((name) => !known.includes(name))
  const contents = fc.oneof(fc.constant(null), fc.integer(), fc.string({ maxLength: 3 }))
  const values = fc
    .tuple(whole, names, contents)
    .map(([all, name, content]) => withField(all, name, content))
  return [{ keyword: 'unknown field', place: '', values }]
}

function countBreaks(flat: Schema, whole: Objects): Break[] {
  const { minProperties, maxProperties } = flat
  const fewer = whole.map((all) =>
    Object.fromEntries(Object.entries(all).slice(0, Number(minProperties) - 1)),
  )
  const more = whole.map((all) => {
    const missing = Number(maxProperties) + 1 - Object.keys(all).length
    const [value = null] = Object.values(all)
    const added = Array.from({ length: Math.max(0, missing) }, (_, at) => [`more${at}`, value])
    return { ...all, ...Object.fromEntries(added) }
  })
  return [
    ...(Number(minProperties) > 0 ? [{ keyword: 'minProperties', place: '', values: fewer }] : []),
    ...(maxProperties === undefined ? [] : [{ keyword: 'maxProperties', place: '', values: more }]),
  ]
}

// Not by assignment: `__proto__` is a field like others.
function withField(all: Schema, name: string, value: Json): Schema {
  return Object.fromEntries([...Object.entries(all), [name, value]])
}

function tokenOf(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
