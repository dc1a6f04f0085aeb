import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'
import { findNumber, findText, type Keywords, numbersOf, typesOf } from './leaf-values.ts'
import {
  branchesOf,
  containedSchemas,
  declaredNames,
  dependentNames,
  examplesOf,
  itemSchemas,
  listedValues,
  requiredNames,
  schemasOf,
} from './schema-parts.ts'
import { namesIn, separatingValues } from './separating-values.ts'

/** Reads schemas, and checks values, for a search of values. */
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
  /** The references that lead from the outermost schema to the schema of this value. */
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

/** How deep values have properties and items that are not required. */
const maxDepth = 8

/** How often a reference may lead to a schema within itself. */
const maxRecursion = 3

/** How many values that fit several forms are changed to fit one. */
const maxAmbiguous = 3

/** Keywords that no value is built from: the validator checks what they allow. */
const validatedKeywords = [
  'oneOf',
  'anyOf',
  'not',
  'if',
  'unevaluatedProperties',
  'unevaluatedItems',
]

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
      const candidate = this.#example(schemas, parts, inner) ?? this.#ofParts(schemas, parts, inner)
      if (candidate === undefined) {
        continue
      }

      if (this.#fits(schemas, parts, candidate.value)) {
        return candidate
      }
      const mayFitSeveralForms = parts.some((part) => 'oneOf' in part)
      if (mayFitSeveralForms) {
        ambiguous.push(candidate.value)
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
    const isValidated = parts.some((part) => {
      return validatedKeywords.some((keyword) => keyword in part)
    })
    return !isValidated || schemas.every((schema) => this.#reader.isValid(schema, value))
  }

  /** Yields the keywords of some schemas and their parts, for each choice of forms. */
  *#choices([schema, ...schemasAfter]: readonly unknown[], chosen: Choice): Generator<Choice> {
    if (schema === undefined || schema === true) {
      if (schemasAfter.length > 0) {
        yield* this.#choices(schemasAfter, chosen)
      } else {
        yield chosen
      }
      return
    }
    if (!isObject(schema)) {
      return
    }

    const { $ref } = schema
    const open = typeof $ref === 'string' ? [...chosen.open, $ref] : chosen.open
    const recursion = open.filter((reference) => reference === $ref).length
    if (recursion > maxRecursion) {
      return
    }

    const target = typeof $ref === 'string' ? this.#reader.target($ref) : true
    const choice = { parts: [...chosen.parts, schema], open }
    for (const forms of this.#formsOf(schema)) {
      const partsOfSchema = [target, ...toList(schema['allOf']), ...forms]
      yield* this.#choices([...partsOfSchema, ...schemasAfter], choice)
    }
  }

  /** Yields the schemas that apply beside a schema, for each choice of its forms. */
  *#formsOf(schema: JsonObject): Generator<readonly unknown[]> {
    for (const ofOneOf of this.#listed(schema, 'oneOf')) {
      for (const ofAnyOf of this.#listed(schema, 'anyOf')) {
        for (const branch of branchesOf(schema)) {
          yield [...ofOneOf, ...ofAnyOf, ...branch]
        }
      }
    }
  }

  /** Yields each form that a keyword lists, with the values of its discriminator. */
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
      const valueOfType = this.#ofType(type, parts, state)
      if (valueOfType !== undefined) {
        return valueOfType
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
      const member = this.find(schemasOf(parts, name), inner)
      if (member === undefined) {
        return undefined
      }
      members.set(name, member.value)
    }

    const minSize = Math.max(0, ...numbersOf(parts, 'minProperties'))
    const maxSize = Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'maxProperties'))
    this.#addOptional(members, parts, inner, state.isComplete ? maxSize : minSize)
    this.#addUndeclared(members, parts, inner, minSize)
    const isAllowedSize = members.size >= minSize && members.size <= maxSize
    return isAllowedSize ? { value: toSorted(members, parts) } : undefined
  }

  /** Adds declared properties that are not required, with those that they require, up to a size. */
  #addOptional(
    members: Map<string, unknown>,
    parts: readonly Keywords[],
    state: State,
    maxSize: number,
  ): void {
    for (const name of declaredNames(parts)) {
      const missing = [name, ...dependentNames(parts, name)].filter((each) => !members.has(each))
      const isTooMany = members.size + missing.length > maxSize
      const isRecursive =
        state.isComplete && schemasOf(parts, name).some((schema) => isIn(schema, state.open))
      if (missing.length === 0 || isTooMany || isRecursive || this.#isOmitted(parts, name)) {
        continue
      }
      this.#addTogether(members, missing, parts, state)
    }
  }

  /** Adds some properties, all or none of them. */
  #addTogether(
    members: Map<string, unknown>,
    names: readonly string[],
    parts: readonly Keywords[],
    state: State,
  ): void {
    const added = new Map<string, unknown>()
    for (const name of names) {
      const member = this.find(schemasOf(parts, name), state)
      if (member !== undefined) {
        added.set(name, member.value)
      }
    }
    if (added.size < names.length) {
      return
    }

    for (const [name, value] of added) {
      members.set(name, value)
    }
  }

  /** Adds properties that are not declared: as many as are missing, or one that shows the schema of all. */
  #addUndeclared(
    members: Map<string, unknown>,
    parts: readonly Keywords[],
    state: State,
    minSize: number,
  ): void {
    const isMap = parts.some(({ additionalProperties }) => isObject(additionalProperties))
    const isExampleOfMap = isMap && state.isComplete && members.size === 0
    const wantedSize = Math.max(minSize, isExampleOfMap ? 1 : 0)
    // Some variants have the name of another one, or no value.
    const maxVariants = 2 * wantedSize + 5
    for (let variant = 0; members.size < wantedSize && variant < maxVariants; variant++) {
      const ofVariant = { ...state, variant }
      const name = this.#nameOf(parts, ofVariant)
      if (name === undefined) {
        continue
      }
      const member = this.find(schemasOf(parts, name), ofVariant)
      if (member !== undefined && !members.has(name)) {
        members.set(name, member.value)
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
    const name = this.find([...names, { type: 'string' }, ...ofPattern], state)
    return typeof name?.value === 'string' ? name.value : undefined
  }

  #isOmitted(parts: readonly Keywords[], name: string): boolean {
    return parts.some((part) => {
      const property = toObject(part['properties'])[name]
      return property !== undefined && this.#reader.isOmitted(property)
    })
  }

  #array(parts: readonly Keywords[], state: State): Found | undefined {
    const contained = containedSchemas(parts)
    const minLength = Math.max(contained.length, ...numbersOf(parts, 'minItems'))
    const maxLength = Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'maxItems'))
    const prefixLength = Math.max(0, ...parts.map(({ prefixItems }) => toList(prefixItems).length))
    const usualLength = state.isComplete ? Math.max(1, prefixLength) : 0
    const length = Math.min(maxLength, Math.max(minLength, usualLength))

    const items: unknown[] = []
    for (let index = 0; index < length; index++) {
      const schemas = [...itemSchemas(parts, index), ...(contained[index] ?? [])]
      const item = this.#item(schemas, items, parts, state)
      if (item === undefined) {
        return items.length >= minLength ? { value: items } : undefined
      }
      items.push(item.value)
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
    const textsOfItems = new Set(items.map((item) => JSON.stringify(item)))
    const attempts = isUnique ? items.length + 10 : 1
    for (let attempt = 0; attempt < attempts; attempt++) {
      const variant = state.variant + attempt
      const item = this.find(schemas, { ...state, depth: state.depth + 1, variant })
      if (item === undefined || !isUnique || !textsOfItems.has(JSON.stringify(item.value))) {
        return item
      }
    }
    return undefined
  }
}

/** Returns whether a schema refers to one of the schemas that it is part of. */
function isIn(schema: unknown, open: readonly string[]): boolean {
  const { $ref } = toObject(schema)
  return typeof $ref === 'string' && open.includes($ref)
}

function toFound(value: unknown): Found | undefined {
  return value === undefined ? undefined : { value }
}

/** Returns an object with its members in the order in which they are declared. */
function toSorted(members: ReadonlyMap<string, unknown>, parts: readonly Keywords[]): JsonObject {
  const declared = declaredNames(parts).filter((name) => members.has(name))
  const names = new Set([...declared, ...members.keys()])
  return Object.fromEntries(Array.from(names, (name) => [name, members.get(name)] as const))
}
