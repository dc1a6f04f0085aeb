import type { ErrorObject } from 'ajv/dist/2020.js'
import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type Parameter,
  toObject,
} from './description.ts'

import {
  isSentAsJson,
  pairsOf,
  readingsOf,
  requestSchema,
  schemaOf,
  type Tree,
  toRequest,
} from './requests.ts'
import { createVariants, type Location, locationsIn, samplesOf, withValue } from './values.ts'

/** A request, and what is wrong with it: nothing if it is valid. */
export interface Case {
  readonly request: NonNullable<ReturnType<typeof toRequest>>
  /** The kinds of its violations, such as `query: maximum`. */
  readonly kinds: readonly string[]
  /** Where they are, as JSON Pointers (RFC 6901). */
  readonly pointers: readonly string[]
}

/** Requests with several places changed at random, beside those with one. */
export interface Fuzzing {
  readonly requests: number
  /** Returns numbers from 0 to below 1. */
  readonly random: () => number
}

type VariantsOf = ReturnType<typeof createVariants>

/** A request, and what it may be read as, because parameters are sent as text. */
interface Draft {
  readonly tree: Tree
  readonly readings: readonly Tree[]
}

/** Returns requests to an operation, valid and invalid ones; none if no valid one can be made. */
export function casesOf(
  description: Description,
  operation: Operation,
  { requests, random }: Fuzzing = { requests: 0, random: Math.random },
): Case[] {
  const { body } = operation
  const cases = new Cases(description, operation)
  const choices = choicesOf(description, operation)
  const bodies = body === undefined ? [] : samplesOf(description, body.media)
  const variantsOf = createVariants(description, cases.schema)

  const all = choices.filter(({ at: [, name] }) => name !== cases.pagedBy)
  cases.add(draftOf(place(fill(all), ['body'], bodies[0])))

  const trees = validTrees(choices, bodies)
  for (const tree of trees) {
    cases.add(draftOf(tree))
  }
  for (const draft of changedOnce(operation, trees, variantsOf)) {
    cases.add(draft)
  }

  for (let request = 0; request < requests; request++) {
    const draft = changeAtRandom(operation, draftOf(pick(trees, random)), variantsOf, random)
    // Half a character is not JSON of the Internet, whatever its schema.
    if (!/\\ud[89a-f]/.test(JSON.stringify(draft.tree))) {
      cases.add(draft)
    }
  }

  for (const choice of choices) {
    cases.addRepeated(choice, fill(choices.filter(isRequired)))
  }

  return cases.toList()
}

/** The cases of an operation, without two that are one request. */
class Cases {
  readonly schema: JsonObject
  /** The parameter whose values come from links; no valid one can be made. */
  readonly pagedBy: string
  readonly #description: Description
  readonly #operation: Operation
  readonly #cases = new Map<string, Case>()

  constructor(description: Description, operation: Operation) {
    this.schema = requestSchema(operation, description)
    const { cursorParam } = toObject(operation.node['x-redoclyPagination'])
    this.pagedBy = String(operation.node['x-paginated-by'] ?? cursorParam)
    this.#description = description
    this.#operation = operation
  }

  /** Adds a request, unless it cannot be sent. */
  add({ tree, readings }: Draft): void {
    const request = toRequest(this.#description, this.#operation, tree)
    const key = JSON.stringify(request)
    if (request === undefined || this.#cases.has(key)) {
      return
    }

    const errors = readings.map((reading) => {
      return this.#description.requestErrors(this.schema, reading)
    })
    const isValid = errors.some(({ length }) => length === 0)
    const hasCursor = Object.hasOwn(toObject(tree['query']), this.pagedBy)
    if (isValid && hasCursor) {
      return
    }

    this.#cases.set(key, { request, ...explain(isValid ? [] : errors.flat()) })
  }

  /** Adds a request that has a parameter of the query twice, which is no list. */
  addRepeated({ at, samples }: Choice, tree: Tree): void {
    const [location, name] = at
    const [sample = []] = samples
    const isWhole = typeof sample === 'object' || isSentAsJson(this.#operation, at)
    const { repeatedParameters = 'reject' } = this.#description.strictness
    if (location !== 'query' || isWhole || repeatedParameters !== 'reject') {
      return
    }

    const repeated = place(tree, at, [sample, sample])
    const request = toRequest(this.#description, this.#operation, repeated)
    if (request === undefined) {
      return
    }

    this.#cases.set(`${at}`, { request, kinds: ['query: repeated'], pointers: [`/query/${name}`] })
  }

  /** Returns the cases; none if none of them is valid. */
  toList(): Case[] {
    const all = [...this.#cases.values()]
    return all.some(({ kinds }) => kinds.length === 0) ? all : []
  }
}

/** A parameter with its valid values. */
interface Choice {
  readonly at: Parameter['at']
  readonly samples: readonly Json[]
  readonly required: Json | undefined
}

function choicesOf(description: Description, operation: Operation): readonly Choice[] {
  return operation.parameters.map((parameter) => {
    const { at, required } = parameter
    const owner = { ...parameter, schema: schemaOf(parameter) }
    const samples = samplesOf(description, owner).filter((sample) =>
      pairsOf(operation, at, sample)?.every(([, text]) => text !== ''),
    )
    return { at, samples, required }
  })
}

function isRequired({ required }: Choice): boolean {
  return required === true
}

/** Returns a request with the first value of each parameter, and no body. */
function fill(choices: readonly Choice[]): Tree {
  const bare: Tree = { path: {}, query: {}, headers: {}, cookies: {} }
  return choices.reduce((tree, { at, samples: [sample] }) => place(tree, at, sample), bare)
}

/** Returns a valid request for each valid value of a parameter or a body. */
function validTrees(choices: readonly Choice[], bodies: readonly Json[]): readonly Tree[] {
  const small = fill(choices.filter(isRequired))
  // With the body of all requests that may have an idempotency key: it may be repeated with that alone.
  const base = place(small, ['body'], bodies[0])
  return [
    ...bodies.map((sample) => place(small, ['body'], sample)),
    small,
    ...choices.flatMap(({ at, samples }) => samples.map((sample) => place(base, at, sample))),
  ]
}

/** Yields requests with another value in one place; of places of one shape, the first alone is changed. */
function* changedOnce(
  operation: Operation,
  trees: readonly Tree[],
  variantsOf: VariantsOf,
): Generator<Draft> {
  const seen = new Set<string>()

  for (const tree of trees) {
    for (const location of locationsIn(tree)) {
      const shape = shapeOf(location)
      if (seen.has(shape)) {
        continue
      }

      seen.add(shape)
      for (const variant of variantsOf(location.value)) {
        yield change(operation, draftOf(tree), location, variant)
      }
    }
  }
}

/** Returns where a value is and what it holds, the same for all items of a list. */
function shapeOf({ at, value }: Location): string {
  const path = at.map((name) => (/^\d+$/.test(name) ? '*' : name))
  // An object with other fields may be one of another form.
  const fields = Array.isArray(value) ? [value.length > 0] : Object.keys(toObject(value))
  return `${path} ${typeof value} ${fields}`
}

/** Changes two or three places of a request. */
function changeAtRandom(
  operation: Operation,
  draft: Draft,
  variantsOf: VariantsOf,
  random: () => number,
): Draft {
  const places = 2 + Math.floor(random() * 2)
  const changed: (readonly string[])[] = []
  let current = draft

  while (changed.length < places) {
    // Not the whole, and none that has been changed or contains one that has.
    const [, ...parts] = locationsIn(current.tree)
    const others = parts.filter(({ at }) => !changed.some((path) => isPrefix(at, path)))
    const location = pick(others, random)
    changed.push(location.at)
    current = change(operation, current, location, pick(variantsOf(location.value), random))
  }

  return current
}

function isPrefix(start: readonly string[], path: readonly string[]): boolean {
  return start.every((name, depth) => path[depth] === name)
}

function pick<T>(choices: readonly T[], random: () => number): T {
  // The lists that it gets are not empty.
  return choices[Math.floor(random() * choices.length)] as T
}

function draftOf(tree: Tree): Draft {
  return { tree, readings: [tree] }
}

/** Puts another value into one place of a request. */
function change(operation: Operation, draft: Draft, { at, value }: Location, variant: Json): Draft {
  const isText = at.length > 1 && at[0] !== 'body' && !isSentAsJson(operation, at)
  // It would be received as a list of one item, or as another parameter.
  const isOtherList = Array.isArray(value) && !Array.isArray(variant)
  const isOtherObject = isObject(value) && !isObject(variant)
  if (isText && (isOtherList || isOtherObject)) {
    return draft
  }
  const read = isText ? readingsOf(variant) : [variant]
  return {
    tree: place(draft.tree, at, variant),
    readings: draft.readings.flatMap((tree) => read.map((one) => place(tree, at, one))),
  }
}

function place(tree: Tree, at: readonly string[], value: Json | undefined): Tree {
  return toObject(withValue(tree, at, value))
}

function explain(errors: readonly ErrorObject[]): Pick<Case, 'kinds' | 'pointers'> {
  // The errors in the forms of a choice say more than that none of them fits.
  const own = errors.filter(({ keyword }) => !['oneOf', 'anyOf'].includes(keyword))
  const found = own.length > 0 ? own : errors
  const pointers = found.map(({ instancePath, params }) => {
    const { missingProperty, additionalProperty, unevaluatedProperty } = params
    const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
    if (typeof name !== 'string') {
      return instancePath
    }
    return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  })
  const kinds = found.map(({ keyword }, at) => `${pointers[at]?.split('/')[1]}: ${keyword}`)
  return { kinds, pointers }
}
