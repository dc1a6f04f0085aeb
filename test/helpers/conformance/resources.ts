import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import {
  type Json,
  type Operation,
  type Parameter,
  parseJson,
  toList,
  toObject,
} from './description.ts'
import {
  type Draft,
  draftsOf,
  emptyDraft,
  type Sent,
  textsOf,
  toSent,
  withTexts,
} from './requests.ts'
import { headerValue } from './responses.ts'
import { type Bench, type Case, createCase } from './run.ts'
import { fieldNamesOf } from './schemas.ts'
import type { Generator } from './variations.ts'

/** Operations on the same things, as far as a description shows that they belong together. */
interface Resource {
  /** Creates one and returns it. */
  readonly create: Operation
  /** Operations whose path ends in the identifier of one. */
  readonly addressed: readonly Addressed[]
  /** Return all of them, in pages. */
  readonly lists: readonly Operation[]
  /** The fields that clients do not send, because the service assigns them. */
  readonly assigned: readonly string[]
}

interface Addressed {
  readonly operation: Operation
  readonly parameter: Parameter
  /** The field with the identifier. */
  readonly field: string
}

/**
 * Finds the resources of a description: a POST to a path, the GETs of that path that return lists of
 * what the POST returns, and the operations one segment below whose parameter is an assigned field.
 */
export function resourcesOf({ description, flatten }: Generator): Resource[] {
  const { operations } = description
  const isSame = (one: Json | undefined, other: Json | undefined) =>
    one !== undefined && isDeepStrictEqual(flatten(one), flatten(other))
  return operations
    .filter(({ method, body }) => method === 'POST' && body !== undefined)
    .map((create) => {
      const sent = fieldNamesOf(flatten, create.body?.schema)
      const assigned = fieldNamesOf(flatten, create.result).filter((name) => !sent.includes(name))
      const addressed = operations.flatMap((operation) => {
        const below = operation.path.startsWith(`${create.path}/`)
        const name =
          below && /^\/\{([^{}/]+)\}$/.exec(operation.path.slice(create.path.length))?.[1]
        const parameter = operation.parameters.find((one) => one.name === name)
        const field = assigned.find((one) =>
          parameter?.name.toLowerCase().endsWith(one.toLowerCase()),
        )
        return parameter === undefined || field === undefined
          ? []
          : [{ operation, parameter, field }]
      })
      const lists = operations.filter(
        ({ method, path, result }) =>
          method === 'GET' &&
          path === create.path &&
          isSame(flatten(result)['items'], create.result),
      )
      return { create, assigned, addressed, lists }
    })
    .filter(({ addressed, lists }) => addressed.length + lists.length > 0)
}

/** Makes the cases of requests with an Idempotency-Key: sent again, they are executed once. */
export function repeatedCases(generator: Generator, operation: Operation): Case[] {
  const keys = operation.parameters.filter(({ name }) => name === 'Idempotency-Key')
  return keys.map((parameter) =>
    createCase({
      check: 'repeated',
      operation: operation.operationId,
      values: fc
        .tuple(draftsOf(generator, operation), textsOf(generator, parameter))
        .map(([draft, texts]) => toSent(generator, withTexts(draft, parameter, texts))),
      async judge(sent, bench) {
        const key = await bench.newKey()
        const { response: first } = await bench.exchange(sent, key)
        const before = await snapshot(bench)
        const { response: second, violations } = await bench.exchange(sent, key)
        const isSame = first.status === second.status && first.body === second.body
        const isUnchanged = isDeepStrictEqual(await snapshot(bench), before)
        const [one, other] = [first, second].map(({ status, body }) => `${status} ${body}`)
        return [
          ...(isSame ? [] : [`the response is ${one}, then ${other}`]),
          ...(isUnchanged ? [] : ['the repeated request is executed again']),
          ...violations,
        ]
      },
      requests: (sent) => [sent, sent],
    }),
  )
}

/** Makes the cases of created resources: each is found as it was sent, once, and no other changes. */
export function readBackCases(generator: Generator): Case[] {
  return resourcesOf(generator).flatMap((resource) => {
    const values = fc.record({
      draft: draftsOf(generator, resource.create),
      lists: fc.tuple(...resource.lists.map((list) => unfilteredDrafts(generator, list))),
    })
    const readBack = createCase({
      ...{ check: 'read back', operation: resource.create.operationId, values },
      judge: ({ draft, lists }, bench) => judgeCreated(draft, lists, resource, bench),
      requests: ({ draft, lists }) => [draft, ...lists].map((one) => toSent(generator, one)),
    })
    return [readBack, ...resource.addressed.map((one) => addressedCase(generator, resource, one))]
  })
}

/** Makes the case of valid requests to a resource that exists, which succeed. */
function addressedCase(
  generator: Generator,
  { create }: Resource,
  { operation, parameter, field }: Addressed,
) {
  return createCase({
    check: `existing: ${operation.method}`,
    operation: operation.operationId,
    values: fc.tuple(draftsOf(generator, create), draftsOf(generator, operation)),
    async judge([creating, draft], bench) {
      const key = await bench.newKey()
      const { response: created } = await bench.exchange(toSent(generator, creating), key)
      const identifier = String(toObject(parseJson(created.body))[field])
      const sent = toSent(generator, withTexts(draft, parameter, [identifier]))
      const { response, violations } = await bench.exchange(sent, key)
      const isExpected = operation.successes.includes(response.status)
      const message = `the status of ${identifier}, which exists, is ${response.status}`
      return [...(isExpected ? [] : [message]), ...violations]
    },
    requests: (drafts) => drafts.map((draft) => toSent(generator, draft)),
  })
}

/** Requests for everything that a list has, in pages of any size. */
function unfilteredDrafts(generator: Generator, list: Operation): fc.Arbitrary<Draft> {
  const isKept = ({ name, in: place }: Parameter) =>
    name === 'limit' || (place !== 'query' && place !== 'cookie')
  return draftsOf(generator, list).map((draft) => {
    return { ...draft, texts: new Map([...draft.texts].filter(([parameter]) => isKept(parameter))) }
  })
}

async function judgeCreated(
  draft: Draft,
  lists: readonly Draft[],
  resource: Resource,
  bench: Bench,
): Promise<string[]> {
  const { generator } = bench
  const key = await bench.newKey()
  const walkAll = (drafts: readonly Draft[]) =>
    Promise.all(drafts.map((list) => walk(toSent(generator, list), bench)))
  const before = await walkAll(resource.lists.map((list) => emptyDraft(generator, list, draft)))
  const sent = toSent(generator, draft)
  const { response, violations } = await bench.exchange(sent, key)
  if (response.status >= 300) return [`the status is ${response.status}`]
  const made = parseJson(response.body) ?? null
  const paths = lists.map((list) => emptyDraft(generator, list.operation, draft).texts)
  const after = await walkAll(
    lists.map((list, at) => ({ ...list, texts: new Map([...list.texts, ...(paths[at] ?? [])]) })),
  )
  return [
    ...violations,
    ...changes(parseJson(sent.body), made, resource.assigned),
    ...(await judgeFound(made, draft, resource, bench)),
    ...after.flatMap((list, at) => listViolations([...(before[at] ?? []), made], list)),
    ...(await judgeFiltered(after, draft, resource, bench)),
  ]
}

/** The response has what was sent, and nothing more than what the service assigns. */
function changes(sent: Json | undefined, made: Json, assigned: readonly string[]): string[] {
  const [one, other] = [toObject(sent), toObject(made)]
  return Object.keys({ ...one, ...other })
    .filter((name) => !assigned.includes(name) && !isDeepStrictEqual(one[name], other[name]))
    .map((name) => `the response has another ${name} than was sent`)
}

async function judgeFound(made: Json, draft: Draft, { create, addressed }: Resource, bench: Bench) {
  const { generator } = bench
  const getters = addressed.filter(
    ({ operation }) =>
      operation.method === 'GET' && isDeepStrictEqual(operation.result, create.result),
  )
  const found = getters.map(async ({ operation, parameter, field }) => {
    const texts = [String(toObject(made)[field])]
    const sent = toSent(
      generator,
      withTexts(emptyDraft(generator, operation, draft), parameter, texts),
    )
    const { response, violations } = await bench.exchange(sent)
    const isSame = response.status === 200 && isDeepStrictEqual(parseJson(response.body), made)
    const message = `${sent.path} returns ${response.status} ${response.body}, not what was created`
    return [...(isSame ? [] : [message]), ...violations]
  })
  return (await Promise.all(found)).flat()
}

function listViolations(wanted: readonly Json[], found: readonly Json[]): string[] {
  if (isDeepStrictEqual(found, wanted)) return []
  const [one, other] = [found, wanted].map(
    (items) => `${items.length} items, the last ${JSON.stringify(items.at(-1))}`,
  )
  return [`the list has ${one}; expected are ${other}`]
}

/** A query parameter with the name of a field and an enum is a filter: each value finds its items. */
async function judgeFiltered(
  all: readonly (readonly Json[])[],
  draft: Draft,
  { lists }: Resource,
  bench: Bench,
): Promise<string[]> {
  const { generator } = bench
  const { flatten } = generator
  const filters = lists.flatMap((list, at) => {
    const names = fieldNamesOf(flatten, flatten(list.result)['items'])
    return list.parameters
      .filter(({ name, in: place }) => place === 'query' && names.includes(name))
      .flatMap((parameter) =>
        toList(flatten(parameter.schema)['enum']).map((value) => ({ list, at, parameter, value })),
      )
  })
  const judged = filters.map(async ({ list, at, parameter, value }) => {
    const asked = withTexts(emptyDraft(generator, list, draft), parameter, [String(value)])
    const wanted = (all[at] ?? []).filter((item) => toObject(item)[parameter.name] === value)
    return listViolations(wanted, await walk(toSent(generator, asked), bench))
  })
  return (await Promise.all(judged)).flat()
}

/** Everything that a list has, page by page, along the links to the next one. */
async function walk(first: Sent, { exchange }: Bench): Promise<Json[]> {
  const items: Json[] = []
  for (let sent: Sent | undefined = first; sent !== undefined; ) {
    const { response } = await exchange(sent)
    const page = parseJson(response.body)
    if (response.status !== 200 || !Array.isArray(page)) return items
    items.push(...page)
    const link = headerValue(response.headers, 'Link') ?? ''
    const next = /<([^>]*)>;\s*rel="next"/.exec(link)?.[1]
    sent = next === undefined ? undefined : { ...first, path: next }
  }
  return items
}

/** Everything that clients can list, to see whether requests change it. */
export async function snapshot(bench: Bench): Promise<Json[]> {
  const { generator } = bench
  const lists = resourcesOf(generator).flatMap((resource) => resource.lists)
  const free = lists.filter(({ parameters }) => !parameters.some(({ isRequired }) => isRequired))
  const none: Draft['texts'] = new Map()
  const all = free.map((operation) => {
    const like = { operation, texts: none, query: [], fields: [], credentials: [] }
    const draft = emptyDraft(generator, operation, {
      ...like,
      mediaType: undefined,
      body: undefined,
    })
    return walk(toSent(generator, draft), bench)
  })
  return Promise.all(all)
}
