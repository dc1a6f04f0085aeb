import { isObject, type JsonObject, memberOf, toList, toObject } from './json.ts'
import type { Located } from './location.ts'
import { toComponent } from './nodes.ts'
import { pointerKeys, toChild, toPointer } from './pointer.ts'
import { findKeyword, partsOf, type References } from './schemas.ts'

/** A value of the property of a discriminator. */
export type FormValue = string | number | boolean

/**
 * Returns the values by which a discriminator chooses a form: those that the mapping gives it, or else its
 * name, as far as the form declares them. A form that declares none of these has values of its own.
 * `form` is the reference to it.
 */
export function valuesOfForm(
  form: Located,
  discriminator: JsonObject,
  references: References,
): readonly FormValue[] {
  const $ref = String(toObject(form.value)['$ref'])
  const property = String(discriminator['propertyName'])
  const mapping = toObject(discriminator['mapping'])
  const mapped = Object.keys(mapping).filter((value) => isSame(String(mapping[value]), $ref))
  const texts = mapped.length > 0 ? mapped : [pointerKeys($ref).at(-1) ?? '']

  const declared = declaredValues(form, property, references)
  if (declared === undefined) {
    return withTypeOf(property, form, texts, references)
  }
  const common = declared.filter((value) => texts.includes(String(value)))
  return common.length > 0 ? common : declared
}

/** Returns whether a mapping, by the name of a component or by a reference, leads where a reference does. */
function isSame(target: string, $ref: string): boolean {
  const reference = target.includes('/') ? target : toComponent(target).$ref
  return toPointer(pointerKeys(reference)) === toPointer(pointerKeys($ref))
}

/** Returns the values that `enum` or `const` leave for a property of a form; undefined if there are none. */
export function declaredValues(
  form: Located,
  property: string,
  references: References,
): readonly FormValue[] | undefined {
  const lists = declarationsOf(form, property, references).flatMap(({ value }) => {
    const { enum: values, const: single } = toObject(value)
    const listed = Array.isArray(values) ? [values] : []
    return single === undefined ? listed : [...listed, [single]]
  })
  const [first, ...otherLists] = lists
  const common = toList(first).filter((value) => otherLists.every((list) => list.includes(value)))
  const values = common.filter(isFormValue)
  return values.length === 0 ? undefined : values
}

function isFormValue(value: unknown): value is FormValue {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Returns the schemas of a property in a form and in its parts, with their own parts. */
function declarationsOf(
  form: Located,
  property: string,
  references: References,
): readonly Located[] {
  return partsOf(form, references).flatMap(({ file, pointer, value }) => {
    const schema = memberOf(memberOf(value, 'properties'), property)
    const at = toChild(toChild(pointer, 'properties'), property)
    return isObject(schema) ? partsOf({ file, pointer: at, value: schema }, references) : []
  })
}

/** Returns values, which a mapping has as texts, as the type of the property has them. */
function withTypeOf(
  property: string,
  form: Located,
  texts: readonly string[],
  references: References,
): readonly FormValue[] {
  const types = declarationsOf(form, property, references).flatMap((schema) => {
    return [findKeyword(schema, 'type', references)?.value].flat()
  })
  if (types.includes('integer') || types.includes('number')) {
    return texts.map(Number)
  }
  return types.includes('boolean') ? texts.map((text) => text === 'true') : texts
}
