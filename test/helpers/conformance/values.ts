import { type Description, type Json, type JsonObject, toList, toObject } from './description.ts'
import { around, type Form, type Labelled, type Schema, scalarsOf, typesOf } from './scalars.ts'

// Each schema has a handful of values: those at the limits of its keywords, those just beyond them,
// and some that have broken programs. Ajv says which of them are valid, so that nothing here needs
// to know: a keyword that is not mentioned is left to Ajv.

/** A value of a schema of which one place was changed. */
export interface Variation {
  readonly keyword: string
  /** Where, as a JSON Pointer (RFC 6901) into the value. */
  readonly place: string
  readonly value: Json
  /** Whether it is invalid even where Ajv accepts it. */
  readonly isBroken?: boolean
}

/** A schema may be part of itself: from here on only what is required is made, and nothing varied. */
const deepest = 4

/** Makes values of the schemas of a description; they depend on it and on random numbers alone. */
export class Values {
  readonly random: () => number
  readonly #description: Description
  readonly #forms = new WeakMap<object, readonly Form[]>()
  readonly #pools = new WeakMap<Form, { all: readonly Labelled[]; valid: readonly Labelled[] }>()

  constructor(description: Description, random: () => number) {
    this.#description = description
    this.random = random
  }

  isValid(schema: Schema, value: Json): boolean {
    return this.#description.schemaErrors(schema, value).length === 0
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)]
  }

  formsOf(schema: Schema): readonly Form[] {
    if (typeof schema !== 'object' || schema === null) return [{}]
    const { $ref, allOf, oneOf, anyOf, ...own } = toObject(schema)
    const forms =
      this.#forms.get(schema) ??
      [
        [own],
        ...(typeof $ref === 'string' ? [this.formsOf(this.#description.resolve(schema))] : []),
        ...toList(allOf).map((one) => this.formsOf(one)),
        ...[oneOf, anyOf]
          .filter(Boolean)
          .map((choices) => toList(choices).flatMap((one) => this.formsOf(one))),
      ].reduce((all, next) => all.flatMap((one) => next.map((other) => merged(one, other))))
    this.#forms.set(schema, forms)
    return forms
  }

  /** Returns whether a schema is one of arrays, and the types of what it or its items may be. */
  kindOf(schema: Schema) {
    const forms = this.formsOf(schema)
    const isList = forms.some((form) => typesOf(form).includes('array'))
    const inner = isList ? forms.flatMap(({ items }) => this.formsOf(items)) : forms
    return { isList, types: [...new Set(inner.flatMap(typesOf))] }
  }

  /** Returns a valid value; undefined where none is found. */
  valueOf(schema: Schema, isFull = false, depth = 0): Json | undefined {
    const forms = this.formsOf(schema)
    for (let attempt = 0; attempt < 20; attempt++) {
      const form = this.pick(forms) ?? {}
      const type = this.pick(typesOf(form))
      let value: Json | undefined
      if (type === 'object') value = this.#objectOf(form, isFull, depth)
      else if (type === 'array') value = this.#arrayOf(form, depth)
      else value = this.pick(this.#poolOf(form).valid)?.[1]
      if (value !== undefined && this.isValid(schema, value)) return value
    }
    const samples = forms.flatMap(({ examples }) => toList(examples))
    return samples.find((sample) => this.isValid(schema, sample))
  }

  /** Returns values that are valid, or are not, because of one keyword at one place. */
  variationsOf(schema: Schema, depth = 0): readonly Variation[] {
    if (depth > deepest) return []
    // Forms share fields; each is varied in the first form that has it.
    const varied = new Set<Schema>()
    return this.formsOf(schema).flatMap((form) => {
      const types = typesOf(form)
      const hasItems = form['items'] !== undefined || form['maxItems'] !== undefined
      return [
        ...this.#poolOf(form).all.map(([keyword, value]) => ({ keyword, place: '', value })),
        ...(types.includes('object') ? this.#fieldVariations(form, depth, varied) : []),
        ...(types.includes('array') && hasItems ? this.#itemVariations(form, depth) : []),
      ]
    })
  }

  /** The values of a form that are no objects and no arrays. */
  #poolOf(form: Form) {
    const all = this.#pools.get(form)?.all ?? scalarsOf(form, this.random)
    const valid = this.#pools.get(form)?.valid ?? all.filter(([, one]) => this.isValid(form, one))
    this.#pools.set(form, { all, valid })
    return { all, valid }
  }

  #objectOf(form: Form, isFull: boolean, depth: number): JsonObject {
    const required = toList(form['required'])
    const isMade = (name: string, schema: Schema) =>
      // Read-only fields are for responses.
      toObject(schema)['readOnly'] !== true &&
      (required.includes(name) || (depth <= deepest && (isFull || this.random() < 0.5)))
    const fields = Object.entries(toObject(form['properties']))
      .filter(([name, schema]) => isMade(name, schema))
      .map(([name, schema]) => [name, this.valueOf(schema, isFull, depth + 1)] as const)
    const { additionalProperties: unnamed, minProperties = 0, maxProperties = Infinity } = form
    const least = Math.max(0, Number(minProperties) - fields.length)
    const most = Math.min(2, Number(maxProperties) - fields.length)
    const names = ['a b', 'é/~', ...Array.from({ length: least }, (_, at) => `f${at}`)]
    const others = names
      .slice(0, isSchema(unnamed) ? Math.max(least, Math.floor(this.random() * (most + 1))) : 0)
      .map((name) => [name, this.valueOf(unnamed, isFull, depth + 1)] as const)
    return Object.fromEntries([...others, ...fields].filter(([, value]) => value !== undefined))
  }

  #arrayOf(form: Form, depth: number, length?: number): Json[] {
    const { items, minItems = 0, maxItems = Infinity, uniqueItems } = form
    const few = Number(minItems) + (depth > deepest ? 0 : Math.floor(this.random() * 4))
    const wanted = length ?? Math.min(Number(maxItems), few)
    const list = new Map<string, Json>()
    for (let tried = 0; list.size < wanted && tried < wanted * 10; tried++) {
      const value = this.valueOf(items, false, depth + 1)
      const isUnique = uniqueItems === true
      if (value !== undefined) list.set(isUnique ? JSON.stringify(value) : String(tried), value)
    }
    return [...list.values()]
  }

  /** Returns a few values to be changed, valid ones if possible. */
  #some<Value extends Json>(form: Form, make: () => Value): readonly Value[] {
    const made = Array.from({ length: 9 }, make)
    const valid = made.filter((value) => this.isValid(form, value))
    return valid.length === 0 ? made : valid.slice(0, 3)
  }

  #fieldVariations(form: Form, depth: number, varied: Set<Schema>): readonly Variation[] {
    const { required, properties, minProperties, maxProperties } = form
    const { additionalProperties: unnamed, unevaluatedProperties: unevaluated } = form
    const objects = this.#some(form, () => this.#objectOf(form, true, depth))
    const whole = () => this.pick(objects) ?? {}
    const described: (readonly [string, Schema])[] = Object.entries(toObject(properties))
    // A name that is not described stands for all of them.
    const fields = isSchema(unnamed) ? [...described, ['another', unnamed] as const] : described
    const nested = fields.flatMap(([name, schema]): readonly Variation[] => {
      if (varied.has(schema)) return []
      varied.add(schema)
      const isReadOnly = toObject(schema)['readOnly'] === true
      const value = isReadOnly ? (this.valueOf(schema) ?? null) : null
      const own = { keyword: 'readOnly', place: '', value, isBroken: true }
      return (isReadOnly ? [own] : this.variationsOf(schema, depth + 1)).map((one) => ({
        ...one,
        place: tokenOf(name) + one.place,
        value: withField(whole(), name, one.value),
      }))
    })
    const entries = Object.entries(whole())
    const some = (keyword: string, list: readonly (readonly [string, Schema])[], name?: string) => {
      const place = name === undefined ? '' : tokenOf(name)
      return { keyword, place, value: Object.fromEntries(list) }
    }
    const isClosed = unnamed === false || unevaluated === false
    const least = Number(minProperties ?? Number.NaN)
    const added = Array.from({ length: Number(maxProperties ?? -1) + 1 }, (_, at) => {
      return [`more${at}`, entries[0]?.[1] ?? null] as const
    })
    return [
      ...nested,
      ...toList(required)
        .map(String)
        .map((missing) =>
          some(
            'required',
            entries.filter(([name]) => name !== missing),
            missing,
          ),
        ),
      some(
        'required',
        entries.filter(([name]) => toList(required).includes(name)),
      ),
      ...(isClosed ? unknownNames(described.map(([name]) => name)) : []).map((name) => {
        const value = withField(whole(), name, name.length % 2 === 0 ? null : 'a')
        return { keyword: 'unknown field', place: tokenOf(name), value, isBroken: true }
      }),
      ...[least, least - 1]
        .filter((count) => count >= 0)
        .map((count) => some('minProperties', entries.slice(0, count))),
      ...(added.length === 0 ? [] : [added, added.slice(1)]).map((list) =>
        some('maxProperties', list),
      ),
    ]
  }

  #itemVariations(form: Form, depth: number): readonly Variation[] {
    const { items, minItems, maxItems, uniqueItems } = form
    const length = Math.max(1, Number(minItems ?? 0))
    const lists = this.#some(form, () => this.#arrayOf(form, depth, length))
    const filled = () => this.pick(lists) ?? []
    const sized = (keyword: string, limit: Schema) =>
      around(limit, 1_000).map((size) => {
        return { keyword, place: '', value: this.#arrayOf(form, depth, size) }
      })
    const [twin = null] = filled()
    return [
      ...this.variationsOf(items, depth + 1).map((one) => {
        const list = filled()
        const at = Math.floor(this.random() * list.length)
        return { ...one, place: `/${at}${one.place}`, value: list.toSpliced(at, 1, one.value) }
      }),
      ...sized('minItems', minItems),
      ...sized('maxItems', maxItems),
      ...(uniqueItems === true ? [{ keyword: 'uniqueItems', place: '', value: [twin, twin] }] : []),
    ]
  }
}

/** Returns names that are not among the known ones, some of them nearly. */
export function unknownNames(known: readonly string[]): string[] {
  const close = known
    .slice(0, 3)
    .flatMap((name) => [name.toUpperCase(), `${name}s`, ` ${name}`, `${name}[]`])
  const others = ['id', '__proto__', 'constructor', 'page', '', '~a/b', 'é🐾']
  return [...close, ...others].filter((name) => !known.includes(name))
}

function merged(one: Form, other: Form): Form {
  const [own, more] = [toObject(one['properties']), toObject(other['properties'])]
  const shared = Object.entries(more).map(([name, schema]) => {
    const isInBoth = Object.hasOwn(own, name)
    return [name, isInBoth ? { allOf: [own[name] ?? true, schema ?? true] } : schema] as const
  })
  const properties = { ...own, ...Object.fromEntries(shared) }
  const required = [...toList(one['required']), ...toList(other['required'])]
  return {
    ...one,
    ...other,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  }
}

function isSchema(schema: Schema): schema is JsonObject {
  return typeof schema === 'object' && schema !== null
}

// Not by assignment: `__proto__` is a field like others.
function withField(all: JsonObject, name: string, value: Json): JsonObject {
  return Object.fromEntries([...Object.entries(all), [name, value]])
}

function tokenOf(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
