import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'
import { compilePattern } from '../description/pattern.ts'
import { findNumber, findText, type Keywords, numbersOf, typesOf } from './leaf-values.ts'
import { namesIn, separatingValues } from './separating-values.ts'

/** What values are found by. */
export interface SchemaReader {
  /** Returns what a `$ref` names; undefined if it leads nowhere. */
  readonly target: ($ref: string) => unknown
  /** Returns the values by which a discriminator chooses a form; undefined if it does not choose. */
  readonly formValues: (form: unknown, discriminator: JsonObject) => readonly unknown[]
  readonly isValid: (schema: unknown, value: unknown) => boolean
  /** Returns whether a property is not sent, as those that are `writeOnly` in responses. */
  readonly isOmitted: (schema: unknown) => boolean
}

/** How complete a value is, and which one of several it is. */
export interface ValueOptions {
  /** Whether properties and items have values that are not required. */
  readonly isComplete: boolean
  /** Whether the examples and defaults of inner schemas are used. */
  readonly useExamples: boolean
  /** The form to begin with, of those that `oneOf` and `anyOf` list. */
  readonly firstForm: number
}

interface State {
  readonly isComplete: boolean
  /** The schemas that refer to the one of this value. */
  readonly open: readonly string[]
  readonly depth: number
  /** Other variants are other values, for lists of unique items. */
  readonly variant: number
}

/** A value that was found; a value may be undefined in no other way. */
interface Found {
  readonly value: unknown
}

/** The keywords of one choice of forms. */
interface Choice {
  readonly parts: readonly Keywords[]
  readonly open: readonly string[]
}

/** How many schemas are visited for one value, before it is given up. */
const maxVisits = 20_000

/** How deep values have what is not required. */
const maxDepth = 8

/** How often a schema may be open while it is open already. */
const maxRecursion = 3

/** How many values that fit several forms are changed to fit one. */
const maxAmbiguous = 3

/** Keywords whose values are checked by the validator, because they are not built from. */
const checked = ['oneOf', 'anyOf', 'not', 'if', 'unevaluatedProperties', 'unevaluatedItems']

/** Returns a value of a schema; undefined if none is found. The value may still be invalid. */
export function findValue(
  schema: unknown,
  reader: SchemaReader,
  options: ValueOptions,
): Found | undefined {
  const { isComplete } = options
  return new ValueSearch(reader, options).find([schema], {
    isComplete,
    open: [],
    depth: 0,
    variant: 0,
  })
}

class ValueSearch {
  readonly #reader: SchemaReader
  readonly #options: ValueOptions
  #visits = 0

  constructor(reader: SchemaReader, options: ValueOptions) {
    this.#reader = reader
    this.#options = options
  }

  /** Returns a value that all of some schemas allow. */
  find(schemas: readonly unknown[], state: State): Found | undefined {
    const ambiguous: unknown[] = []
    for (const { parts, open } of this.#choices(schemas, { parts: [], open: state.open })) {
      this.#visits++
      if (this.#visits > maxVisits) {
        return undefined
      }
      const isRecursive = new Set(open).size < open.length
      const isComplete = state.isComplete && state.depth < maxDepth && !isRecursive
      const inner = { ...state, open, isComplete }
      const found = this.#example(schemas, parts, inner) ?? this.#ofParts(schemas, parts, inner)
      if (found !== undefined && this.#fits(schemas, parts, found.value)) {
        return found
      }
      if (found !== undefined && parts.some((part) => 'oneOf' in part)) {
        ambiguous.push(found.value)
      }
    }
    return this.#separate(schemas, ambiguous)
  }

  /** Returns one of some values, changed to fit one form of `oneOf` alone. */
  #separate(schemas: readonly unknown[], ambiguous: readonly unknown[]): Found | undefined {
    if (ambiguous.length === 0 || this.#visits > maxVisits) {
      return undefined
    }
    const names = namesIn(schemas, this.#reader.target)
    for (const value of ambiguous.slice(0, maxAmbiguous)) {
      const separated = separatingValues(value, names).find((changed) => {
        return schemas.every((schema) => this.#reader.isValid(schema, changed))
      })
      if (separated !== undefined) {
        return { value: separated }
      }
    }
    return undefined
  }

  /** Returns whether a value is valid, as far as it was not built from the schemas. */
  #fits(schemas: readonly unknown[], parts: readonly Keywords[], value: unknown): boolean {
    const isChecked = parts.some((part) => checked.some((keyword) => keyword in part))
    return !isChecked || schemas.every((schema) => this.#reader.isValid(schema, value))
  }

  /** Yields the keywords of some schemas and their parts, for each choice of forms. */
  *#choices([schema, ...others]: readonly unknown[], known: Choice): Generator<Choice> {
    if (schema === undefined || schema === true) {
      if (others.length > 0) {
        yield* this.#choices(others, known)
      } else {
        yield known
      }
      return
    }
    if (!isObject(schema)) {
      return
    }

    const { $ref } = schema
    const open = typeof $ref === 'string' ? [...known.open, $ref] : known.open
    if (open.filter((each) => each === $ref).length > maxRecursion) {
      return
    }
    const target = typeof $ref === 'string' ? this.#reader.target($ref) : true
    const choice = { parts: [...known.parts, schema], open }
    for (const forms of this.#formsOf(schema)) {
      yield* this.#choices([target, ...toList(schema['allOf']), ...forms, ...others], choice)
    }
  }

  /** Yields the schemas that apply beside a schema, for each choice of its forms. */
  *#formsOf(schema: JsonObject): Generator<readonly unknown[]> {
    for (const one of this.#listed(schema, 'oneOf')) {
      for (const other of this.#listed(schema, 'anyOf')) {
        for (const branch of branchesOf(schema)) {
          yield [...one, ...other, ...branch]
        }
      }
    }
  }

  *#listed(schema: JsonObject, keyword: 'oneOf' | 'anyOf'): Generator<readonly unknown[]> {
    if (!Array.isArray(schema[keyword])) {
      yield []
      return
    }
    const forms = toList(schema[keyword])
    const { discriminator } = schema
    const first = this.#options.firstForm % Math.max(1, forms.length)
    for (const form of [...forms.slice(first), ...forms.slice(0, first)]) {
      const isChosen = isObject(discriminator) && isObject(form) && '$ref' in form
      if (!isChosen) {
        yield [form]
        continue
      }
      const name = String(discriminator['propertyName'])
      const values = this.#reader.formValues(form, discriminator)
      yield [form, { required: [name], properties: { [name]: { enum: values } } }]
    }
  }

  /** Returns the first valid example of some schemas. */
  #example(
    schemas: readonly unknown[],
    parts: readonly Keywords[],
    { variant }: State,
  ): Found | undefined {
    if (!this.#options.useExamples || variant > 0) {
      return undefined
    }
    const value = examplesOf(parts).find((example) => {
      return schemas.every((schema) => this.#reader.isValid(schema, example))
    })
    return toFound(value)
  }

  #ofParts(
    schemas: readonly unknown[],
    parts: readonly Keywords[],
    state: State,
  ): Found | undefined {
    const listed = listedValues(parts)
    if (listed !== undefined) {
      const first = state.variant % Math.max(1, listed.length)
      const values = [...listed.slice(first), ...listed.slice(0, first)].map((value) => ({ value }))
      return values.find(({ value }) => this.#fits(schemas, parts, value))
    }

    for (const type of typesOf(parts)) {
      const found = this.#ofType(type, parts, state)
      if (found !== undefined) {
        return found
      }
    }
    return undefined
  }

  #ofType(type: string, parts: readonly Keywords[], state: State): Found | undefined {
    switch (type) {
      case 'object':
        return this.#object(parts, state)
      case 'array':
        return this.#array(parts, state)
      case 'string':
        return toFound(findText(parts, state.variant))
      case 'integer':
      case 'number':
        return toFound(findNumber(parts, type === 'integer', state.variant))
      case 'boolean':
        return { value: state.variant % 2 === 0 }
      default:
        return { value: null }
    }
  }

  #object(parts: readonly Keywords[], state: State): Found | undefined {
    const members = new Map<string, unknown>()
    const inner = { ...state, depth: state.depth + 1 }

    for (const name of requiredNames(parts)) {
      if (this.#isOmitted(parts, name)) {
        continue
      }
      const found = this.find(schemasOf(parts, name), inner)
      if (found === undefined) {
        return undefined
      }
      members.set(name, found.value)
    }

    const smallest = Math.max(0, ...numbersOf(parts, 'minProperties'))
    const largest = Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'maxProperties'))
    const wanted = state.isComplete ? largest : smallest
    this.#addOptional(members, parts, inner, wanted)
    this.#addOthers(members, parts, inner, smallest)
    const isRight = members.size >= smallest && members.size <= largest
    return isRight ? { value: toSorted(members, parts) } : undefined
  }

  /** Adds declared properties that are not required, and what they require, until there are enough. */
  #addOptional(
    members: Map<string, unknown>,
    parts: readonly Keywords[],
    state: State,
    wanted: number,
  ): void {
    for (const name of declaredNames(parts)) {
      const needed = [name, ...dependentNames(parts, name)].filter((each) => !members.has(each))
      const isTooMany = members.size + needed.length > wanted
      const isOpen =
        state.isComplete && schemasOf(parts, name).some((schema) => isIn(schema, state.open))
      if (needed.length === 0 || isTooMany || isOpen || this.#isOmitted(parts, name)) {
        continue
      }

      const found = needed.map((each) => {
        return [each, this.find(schemasOf(parts, each), state)] as const
      })
      for (const [each, value] of found) {
        if (value !== undefined && found.every(([, other]) => other !== undefined)) {
          members.set(each, value.value)
        }
      }
    }
  }

  /** Adds properties that are not declared: as many as are missing, or one that shows the schema of all. */
  #addOthers(
    members: Map<string, unknown>,
    parts: readonly Keywords[],
    state: State,
    smallest: number,
  ): void {
    const isMap = parts.some(({ additionalProperties: others }) => isObject(others))
    const isShown = isMap && state.isComplete && members.size === 0
    const wanted = Math.max(smallest, isShown ? 1 : 0)
    for (let variant = 0; members.size < wanted && variant < 2 * wanted + 5; variant++) {
      const name = this.#nameOf(parts, { ...state, variant })
      const found =
        name === undefined ? undefined : this.find(schemasOf(parts, name), { ...state, variant })
      if (name !== undefined && found !== undefined && !members.has(name)) {
        members.set(name, found.value)
      }
    }
  }

  /** Returns a name for a property that is not declared. */
  #nameOf(parts: readonly Keywords[], state: State): string | undefined {
    const names = parts.flatMap(({ propertyNames }) => propertyNames ?? [])
    const [pattern] = parts.flatMap(({ patternProperties }) =>
      Object.keys(toObject(patternProperties)),
    )
    if (names.length === 0 && pattern === undefined) {
      return `additionalProp${state.variant + 1}`
    }
    const ofPattern = pattern === undefined ? [] : [{ pattern }]
    const found = this.find([...names, { type: 'string' }, ...ofPattern], state)
    return typeof found?.value === 'string' ? found.value : undefined
  }

  #isOmitted(parts: readonly Keywords[], name: string): boolean {
    return parts.some((part) => {
      const property = toObject(part['properties'])[name]
      return property !== undefined && this.#reader.isOmitted(property)
    })
  }

  #array(parts: readonly Keywords[], state: State): Found | undefined {
    const smallest = Math.max(0, ...numbersOf(parts, 'minItems'))
    const largest = Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'maxItems'))
    const contained = containedSchemas(parts)
    const listed = Math.max(0, ...parts.map(({ prefixItems }) => toList(prefixItems).length))
    const usual = state.isComplete ? Math.max(1, listed) : 0
    const length = Math.min(largest, Math.max(smallest, contained.length, usual))

    const items: unknown[] = []
    for (let index = 0; index < length; index++) {
      const schemas = [...itemSchemas(parts, index), ...(contained[index] ?? [])]
      const found = this.#item(schemas, items, parts, state)
      if (found === undefined && items.length >= Math.max(smallest, contained.length)) {
        break
      }
      if (found === undefined) {
        return undefined
      }
      items.push(found.value)
    }
    return { value: items }
  }

  /** Returns an item that is not in a list of unique items yet. */
  #item(
    schemas: readonly unknown[],
    items: readonly unknown[],
    parts: readonly Keywords[],
    state: State,
  ): Found | undefined {
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true)
    const known = new Set(items.map((item) => JSON.stringify(item)))
    const attempts = isUnique ? items.length + 10 : 1
    for (let attempt = 0; attempt < attempts; attempt++) {
      const variant = state.variant + attempt
      const found = this.find(schemas, { ...state, depth: state.depth + 1, variant })
      if (found === undefined || !isUnique || !known.has(JSON.stringify(found.value))) {
        return found
      }
    }
    return undefined
  }
}

/** Returns whether a schema refers to one of those that refer to it. */
function isIn(schema: unknown, open: readonly string[]): boolean {
  const { $ref } = toObject(schema)
  return typeof $ref === 'string' && open.includes($ref)
}

function toFound(value: unknown): Found | undefined {
  return value === undefined ? undefined : { value }
}

/** Returns the schemas of both branches of a condition. */
function branchesOf(schema: JsonObject): readonly (readonly unknown[])[] {
  const { if: condition, then: whenTrue = true, else: whenFalse = true } = schema
  return condition === undefined ? [[]] : [[condition, whenTrue], [whenFalse]]
}

/** Returns the values that `const` and `enum` leave; undefined where there are none of these. */
function listedValues(parts: readonly Keywords[]): readonly unknown[] | undefined {
  const lists = parts.flatMap((part) => {
    const ofConst = 'const' in part ? [[part['const']]] : []
    return Array.isArray(part['enum']) ? [...ofConst, toList(part['enum'])] : ofConst
  })
  const [first, ...others] = lists
  const texts = others.map((list) => new Set(list.map((value) => JSON.stringify(value))))
  return first?.filter((value) => texts.every((known) => known.has(JSON.stringify(value))))
}

/** Returns the examples and the defaults of some keywords. */
function examplesOf(parts: readonly Keywords[]): readonly unknown[] {
  return parts.flatMap((part) => {
    const stated = [part['example'], ...toList(part['examples']), part['default']]
    return stated.filter((value) => value !== undefined)
  })
}

function requiredNames(parts: readonly Keywords[]): readonly string[] {
  const names = parts.flatMap(({ required }) => toList(required)).map(String)
  return [...new Set(names.flatMap((name) => [name, ...dependentNames(parts, name)]))]
}

/** Returns the names of the properties that another one requires, and those that these require. */
function dependentNames(parts: readonly Keywords[], name: string): readonly string[] {
  const names = new Set([name])
  // The loop also visits what it adds.
  for (const each of names) {
    const required = parts.flatMap(({ dependentRequired, dependentSchemas }) => [
      ...toList(toObject(dependentRequired)[each]),
      ...toList(toObject(toObject(dependentSchemas)[each])['required']),
    ])
    for (const other of required) {
      names.add(String(other))
    }
  }
  names.delete(name)
  return [...names]
}

function declaredNames(parts: readonly Keywords[]): readonly string[] {
  return [...new Set(parts.flatMap(({ properties }) => Object.keys(toObject(properties))))]
}

/** Returns the schemas of a property: each part has some for it. */
function schemasOf(parts: readonly Keywords[], name: string): readonly unknown[] {
  return parts.flatMap((part) => {
    const properties = toObject(part['properties'])
    const own = Object.hasOwn(properties, name) ? [properties[name]] : []
    const ofPatterns = Object.entries(toObject(part['patternProperties']))
      .filter(([pattern]) => compilePattern(pattern).test(name))
      .map(([, schema]) => schema)
    const known = [...own, ...ofPatterns]
    const { additionalProperties: others = true } = part
    return known.length > 0 ? known : [others]
  })
}

function itemSchemas(parts: readonly Keywords[], index: number): readonly unknown[] {
  return parts.map(({ prefixItems, items = true }) => {
    const first = toList(prefixItems)
    return index < first.length ? first[index] : items
  })
}

/** Returns the schemas that the first items have to fit beside their own, by index. */
function containedSchemas(parts: readonly Keywords[]): readonly (readonly unknown[])[] {
  const contained = parts.flatMap(({ contains, minContains = 1 }) => {
    return contains === undefined ? [] : Array(Number(minContains)).fill([contains])
  })
  return contained
}

/** Returns an object with its members in the order in which they are declared. */
function toSorted(members: ReadonlyMap<string, unknown>, parts: readonly Keywords[]): JsonObject {
  const declared = declaredNames(parts).filter((name) => members.has(name))
  const names = new Set([...declared, ...members.keys()])
  return Object.fromEntries(Array.from(names, (name) => [name, members.get(name)] as const))
}
