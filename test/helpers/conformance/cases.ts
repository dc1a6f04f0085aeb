import type { ErrorObject } from 'ajv/dist/2020.js'
import { isXml, kindOf } from './content.ts'
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
  const bodies = body === undefined ? [] : bodiesOf(description, body)
  const variantsOf = createVariants(description, cases.schema)

  const choicesWithoutCursor = choices.filter(({ at: [, name] }) => name !== cases.pagedBy)
  const complete = place(fill(choicesWithoutCursor), ['body'], bodies[0])
  cases.add(draftOf(complete))

  const trees = validTrees(choices, bodies)
  for (const tree of trees) {
    cases.add(draftOf(tree))
  }
  for (const draft of changedOnce(operation, trees, variantsOf)) {
    cases.add(draft)
  }
  for (const tree of treesWithoutField(operation, trees)) {
    cases.add(draftOf(tree))
  }

  for (let request = 0; request < requests; request++) {
    const draft = changeAtRandom(operation, draftOf(pick(trees, random)), variantsOf, random)
    // Half of a surrogate pair is not valid in JSON (RFC 7493, section 2.1), whatever its schema.
    const hasLoneSurrogate = /\\ud[89a-f]/.test(JSON.stringify(draft.tree))
    if (!hasLoneSurrogate) {
      cases.add(draft)
    }
  }

  for (const choice of choices) {
    cases.addRepeated(choice, fill(choices.filter(isRequired)))
  }

  return cases.toList()
}

/** Returns valid bodies. The body is a text where its content is neither JSON nor a form. */
function bodiesOf(description: Description, body: NonNullable<Operation['body']>): readonly Json[] {
  const { media, mediaType } = body
  const kind = kindOf(mediaType)
  const samples = kind === 'bytes' || kind === 'stream' ? [] : samplesOf(description, media)
  if (['json', 'form', 'multipart'].includes(kind)) {
    return samples
  }

  const texts = samples.filter((sample) => typeof sample === 'string')
  const hasTextSchema = toObject(media['schema'])['type'] === 'string'
  const isValidated = kind === 'text' && hasTextSchema && !isXml(mediaType)
  return isValidated ? texts : [texts[0] ?? 'sample']
}

/** Yields requests with a form that lacks one of its fields. */
function* treesWithoutField({ body }: Operation, trees: readonly Tree[]): Generator<Tree> {
  const [tree] = trees.filter((each) => isObject(each['body']))
  if (body === undefined || tree === undefined || !isForm(body)) {
    return
  }
  for (const name of Object.keys(toObject(tree['body']))) {
    yield place(tree, ['body', name], undefined)
  }
}

function isForm({ mediaType }: NonNullable<Operation['body']>): boolean {
  return ['form', 'multipart'].includes(kindOf(mediaType))
}

/** Returns whether a place of a request may have other values. A body that is not JSON is text, and is not changed. */
function isChangeable({ body }: Operation, [part]: readonly string[]): boolean {
  return part !== 'body' || body === undefined || kindOf(body.mediaType) === 'json'
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

  /** Adds a request that has a query parameter twice, although it is no list. */
  addRepeated({ at, samples }: Choice, tree: Tree): void {
    const [location, name] = at
    const [sample] = samples
    const isText = sample !== undefined && typeof sample !== 'object'
    const isSingle = isText && !isSentAsJson(this.#operation, at)
    const { repeatedParameters = 'reject' } = this.#description.strictness
    if (location !== 'query' || !isSingle || repeatedParameters !== 'reject') {
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
    const cases = [...this.#cases.values()]
    const hasValid = cases.some(({ kinds }) => kinds.length === 0)
    return hasValid ? cases : []
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
  const withoutBody = fill(choices.filter(isRequired))
  const withBodies = bodies.map((sample) => place(withoutBody, ['body'], sample))
  // Requests with the same idempotency key must have the same body: the first one.
  const base = place(withoutBody, ['body'], bodies[0])
  const withParameters = choices.flatMap(({ at, samples }) => {
    return samples.map((sample) => place(base, at, sample))
  })
  return [...withBodies, withoutBody, ...withParameters]
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
      if (!isChangeable(operation, location.at)) {
        continue
      }
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
  const changedPaths: (readonly string[])[] = []
  let current = draft

  while (changedPaths.length < places) {
    const [_wholeTree, ...locations] = locationsIn(current.tree)
    const candidates = locations.filter(({ at }) => {
      const containsChange = changedPaths.some((path) => isPrefix(at, path))
      return isChangeable(operation, at) && !containsChange
    })
    const location = pick(candidates, random)
    changedPaths.push(location.at)
    current = change(operation, current, location, pick(variantsOf(location.value), random))
  }

  return current
}

function isPrefix(start: readonly string[], path: readonly string[]): boolean {
  return start.every((name, depth) => path[depth] === name)
}

function pick<T>(choices: readonly T[], random: () => number): T {
  // No caller passes an empty list.
  return choices[Math.floor(random() * choices.length)] as T
}

function draftOf(tree: Tree): Draft {
  return { tree, readings: [tree] }
}

/** Puts another value into one place of a request. */
function change(operation: Operation, draft: Draft, { at, value }: Location, variant: Json): Draft {
  const isText = at.length > 1 && at[0] !== 'body' && !isSentAsJson(operation, at)
  // A text in place of a list is received as a list of one item; in place of an object, as another parameter.
  const isOtherList = Array.isArray(value) && !Array.isArray(variant)
  const isOtherObject = isObject(value) && !isObject(variant)
  if (isText && (isOtherList || isOtherObject)) {
    return draft
  }

  const readings = isText ? readingsOf(variant) : [variant]
  return {
    tree: place(draft.tree, at, variant),
    readings: draft.readings.flatMap((tree) => {
      return readings.map((reading) => place(tree, at, reading))
    }),
  }
}

function place(tree: Tree, at: readonly string[], value: Json | undefined): Tree {
  return toObject(withValue(tree, at, value))
}

/** Returns the kinds and the places of errors. */
function explain(errors: readonly ErrorObject[]): Pick<Case, 'kinds' | 'pointers'> {
  // The errors in the schemas of a choice say more than the error of the choice.
  const errorsOfSchemas = errors.filter(({ keyword }) => !['oneOf', 'anyOf'].includes(keyword))
  const explaining = errorsOfSchemas.length > 0 ? errorsOfSchemas : errors
  const pointers = explaining.map(({ instancePath, params }) => {
    const { missingProperty, additionalProperty, unevaluatedProperty } = params
    const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
    if (typeof name !== 'string') {
      return instancePath
    }
    return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  })
  const kinds = explaining.map(
    ({ keyword }, index) => `${pointers[index]?.split('/')[1]}: ${keyword}`,
  )
  return { kinds, pointers }
}
