import { generateSync } from 'json-schema-faker'
import { changesOf, type Hints } from './changes.ts'
import { type Description, type Json, memoize, toList, toObject } from './description.ts'

// A faker makes valid values, and each location in them is changed in many ways. Ajv says which of the
// results are valid, and where the others are not: a keyword that is not mentioned is left to Ajv.

type Schema = Json | undefined

/** A valid value with a change at one location. */
export interface Variation {
  readonly keyword: string
  readonly value: Json
  /** Where it is invalid, as JSON Pointers (RFC 6901) into the value; nowhere when it is valid. */
  readonly wrongAt: readonly string[]
}

/** The shares of optional fields in samples. The first one has all, so that each is changed. */
const shares = [1, 1, 1, 1, 0, 0, 0.5, 0.5, 0.5]

/** Makes values of the schemas of a description; they depend on it and on random numbers alone. */
export class Values {
  readonly random: () => number
  readonly #description: Description
  /** Returns some valid values of a schema. */
  readonly samplesOf = memoize((schema) =>
    shares
      .map((share) => this.#make(schema, share))
      .filter((value) => value !== undefined)
      .filter((value) => this.accepts(schema, value)),
  )
  /** Returns valid and invalid values, each of which has a change at one location. */
  readonly variationsOf = memoize((schema) => this.#vary(schema))

  constructor(description: Description, random: () => number) {
    this.#description = description
    this.random = random
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)]
  }

  /** Returns whether a schema allows a value. */
  accepts(schema: Schema, value: Json): boolean {
    return this.#wrongLocations(schema, value).length === 0
  }

  /** Returns the names of all properties that a schema declares. */
  namesIn(schema: Schema): ReadonlySet<string> {
    const all = this.#hintsOf(schema)['properties'] ?? []
    return new Set(all.flatMap((properties) => Object.keys(toObject(properties))))
  }

  #vary(schema: Schema): readonly Variation[] {
    const hints = this.#hintsOf(schema)
    const names = this.namesIn(schema)
    // Items of a list, and the fields of a map, are one location.
    const kindOf = (at: readonly string[]) =>
      at.map((name) => (names.has(name) ? name : '*')).join()
    const varied = new Set<string>()
    const found = new Map<string, Variation>()
    for (const sample of this.samplesOf(schema)) {
      for (const { at, value } of locationsIn(sample)) {
        const inner = Object.keys(Object(value)).map((name) => kindOf([...at, name]))
        const kinds = [`${kindOf(at)} ${value === null ? null : typeof value}`, ...inner]
        // An object with another field, or a list with an item, is one of another form.
        if (kinds.every((kind) => varied.has(kind))) continue
        for (const kind of kinds) varied.add(kind)
        for (const [keyword, changed] of changesOf(value, hints, this.random)) {
          const whole = withValue(sample, at, changed)
          const wrongAt = this.#wrongLocations(schema, whole)
          found.set(`${keyword} ${JSON.stringify(whole)}`, { keyword, value: whole, wrongAt })
        }
      }
    }
    return [...found.values()]
  }

  /** Makes a value, of objects with a share of their optional fields. */
  #make(schema: Schema, share: number, depth = 0): Json | undefined {
    const { allOf, oneOf, anyOf, properties, required } = this.#description.resolve(schema)
    const choice = this.pick(toList(oneOf ?? anyOf))
    const parts = [...toList(allOf), ...(choice === undefined ? [] : [choice])]
    if (properties === undefined && parts.length === 0) return this.#fake(schema)
    const made = parts.map((part) => this.#make(part, share, depth))
    const fields = Object.entries(toObject(properties))
      .filter(([name, field]) => {
        if (this.#description.resolve(field)['readOnly'] === true) return false
        // A schema may be part of itself.
        const isWanted = depth < 3 && this.random() < share
        return isWanted || toList(required).includes(name)
      })
      .map(([name, field]) => [name, this.#make(field, share, depth + 1)])
      .filter(([, value]) => value !== undefined)
    const isObject = properties !== undefined || typeof made.at(-1) === 'object'
    if (!isObject) return made.at(-1)
    // The form that was chosen may narrow a field.
    const chosen = choice === undefined ? [] : made.slice(-1)
    return Object.assign({}, ...made, Object.fromEntries(fields), ...chosen)
  }

  #fake(schema: Schema): Json | undefined {
    const { components = {} } = this.#description.root
    // The faker merges what stands beside a `$ref`, so the reference is in a property.
    const whole = { type: 'object', required: ['value'], properties: { value: schema }, components }
    const copy = JSON.parse(JSON.stringify(whole))
    const values = toList(this.#description.resolve(schema)['examples']).slice()
    for (let times = 0; times < 3; times++) {
      const seed = Math.floor(this.random() * 2 ** 31)
      try {
        values.push(Object(generateSync(copy, { seed, refDepth: 2 })).value)
      } catch {
        // It cannot make every value that a schema allows.
      }
    }
    return this.pick(values.filter((value) => this.accepts(schema, value)))
  }

  #wrongLocations(schema: Schema, value: Json): string[] {
    const errors = this.#description.requestErrors(schema, value)
    // The errors in the forms of a choice say more than that none of them fits.
    const own = errors.filter(({ keyword }) => !['oneOf', 'anyOf'].includes(keyword))
    return (own.length > 0 ? own : errors).map(({ instancePath, params }) => {
      const { missingProperty, additionalProperty, unevaluatedProperty } = params
      const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
      if (typeof name !== 'string') return instancePath
      return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    })
  }

  /** Returns what each keyword has in a schema, and in all that is part of it. */
  #hintsOf(schema: Schema): Hints {
    // A property may be called `constructor`.
    const hints: Record<string, Json[]> = Object.create(null)
    const seen = new Set<Schema>()
    const collect = (node: Schema): void => {
      if (typeof node !== 'object' || node === null || seen.has(node)) return
      seen.add(node)
      for (const [keyword, value = null] of Object.entries(node)) {
        hints[keyword] = [...(hints[keyword] ?? []), value]
        collect(value)
      }
      collect(this.#description.resolve(node))
    }
    collect(schema)
    return hints
  }
}

function* locationsIn(
  value: Json,
  at: readonly string[] = [],
): Generator<{ at: readonly string[]; value: Json }> {
  yield { at, value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner = null] of Object.entries(value)) yield* locationsIn(inner, [...at, name])
}

function withValue(whole: Json, [name, ...rest]: readonly string[], changed: Json): Json {
  if (name === undefined) return changed
  const entries = Object.entries(whole ?? {}).map(([key, inner]) => {
    return [key, key === name ? withValue(inner, rest, changed) : inner] as const
  })
  return Array.isArray(whole) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}
