import type { ErrorObject } from 'ajv/dist/2020.js'
import { type Description, type Json, type Operation, toObject } from './description.ts'
import { readingsOf, requestSchema, type Tree, textsOf, toRequest } from './requests.ts'
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
  const { body, parameters, node } = operation
  const schema = requestSchema(operation)
  const pagedBy = String(node['x-paginated-by'])
  const cases = new Map<string, Case>()

  /** Adds a request, unless it cannot be sent. */
  function add({ tree, readings }: Draft): void {
    const request = toRequest(description, operation, tree)
    const key = JSON.stringify(request)
    const errors = readings.map((reading) => description.requestErrors(schema, reading))
    const isValid = errors.some(({ length }) => length === 0)
    // The values of this parameter come from links, so that no valid one can be made.
    const isOpaque = Object.hasOwn(toObject(tree['query']), pagedBy)
    if (request === undefined || cases.has(key) || (isValid && isOpaque)) return
    cases.set(key, { request, ...explain(isValid ? [] : errors.flat()) })
  }

  const choices = parameters.map((parameter) => {
    const { at, required: isRequired } = parameter
    const samples = samplesOf(description, parameter).filter((sample) =>
      textsOf(operation, at, sample)?.every((text) => text !== ''),
    )
    return { at, samples, isRequired }
  })
  const required = choices.filter(({ isRequired }) => isRequired === true)
  const others = choices.filter(({ at: [, name] }) => name !== pagedBy)
  const bodies = body === undefined ? [] : samplesOf(description, body.media)
  const bare: Tree = { path: {}, query: {}, headers: {}, cookies: {} }
  const fill = (chosen: typeof choices): Tree =>
    chosen.reduce((tree, { at, samples: [sample] }) => place(tree, at, sample), bare)
  const small = fill(required)
  // With the body of all requests that may have an idempotency key: it may be repeated with that alone.
  const base = place(small, ['body'], bodies[0])
  const trees = [
    ...bodies.map((sample) => place(small, ['body'], sample)),
    small,
    ...choices.flatMap(({ at, samples }) => samples.map((sample) => place(base, at, sample))),
  ]
  const variantsOf = createVariants(description, schema)
  add(draftOf(place(fill(others), ['body'], bodies[0])))
  const seen = new Set<string>()
  for (const tree of trees) {
    add(draftOf(tree))
    for (const location of locationsIn(tree)) {
      const { at, value } = location
      // An object with other fields may be one of another form.
      const fields = Array.isArray(value) ? [value.length > 0] : Object.keys(toObject(value))
      const shape = `${at.map((name) => (/^\d+$/.test(name) ? '*' : name))} ${typeof value} ${fields}`
      if (seen.has(shape)) continue
      seen.add(shape)
      for (const variant of variantsOf(value)) add(change(draftOf(tree), location, variant))
    }
  }
  const pick = <T>(choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T
  for (let request = 0; request < requests; request++) {
    let draft = draftOf(pick(trees))
    const changed: (readonly string[])[] = []
    for (let places = 2 + Math.floor(random() * 2); places > 0; places--) {
      // Not the whole, and none that has been changed or contains one that has.
      const [, ...parts] = locationsIn(draft.tree)
      const others = parts.filter(({ at }) => {
        return !changed.some((path) => at.every((name, depth) => path[depth] === name))
      })
      const location = pick(others)
      changed.push(location.at)
      draft = change(draft, location, pick(variantsOf(location.value)))
    }
    // Half a character is not JSON of the Internet, whatever its schema.
    if (!/\\ud[89a-f]/.test(JSON.stringify(draft.tree))) add(draft)
  }
  for (const { at, samples } of choices) {
    const [location, name] = at
    const [sample = []] = samples
    const request = toRequest(description, operation, place(small, at, [sample, sample].flat()))
    if (location !== 'query' || Array.isArray(sample) || request === undefined) continue
    cases.set(`${at}`, { request, kinds: ['query: repeated'], pointers: [`/query/${name}`] })
  }
  const all = [...cases.values()]
  return all.some(({ kinds }) => kinds.length === 0) ? all : []
}

function draftOf(tree: Tree): Draft {
  return { tree, readings: [tree] }
}

/** Puts another value into one place of a request. */
function change(draft: Draft, { at, value }: Location, variant: Json): Draft {
  const isParameter = at.length > 1 && at[0] !== 'body'
  // It would be received as a list of one item.
  if (isParameter && Array.isArray(value) && !Array.isArray(variant)) return draft
  const read = isParameter ? readingsOf(variant) : [variant]
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
    if (typeof name !== 'string') return instancePath
    return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  })
  const kinds = found.map(({ keyword }, at) => `${pointers[at]?.split('/')[1]}: ${keyword}`)
  return { kinds, pointers }
}
