import { isDeepStrictEqual } from 'node:util'
import { type Case, caseOf, changedFields } from './cases.ts'
import type { Bench } from './conformance.ts'
import { type Json, type Operation, parseJson, toList, toObject } from './description.ts'
import {
  type Draft,
  draftOf,
  emptyDraft,
  type Sent,
  toSent,
  validTexts,
  withTexts,
} from './requests.ts'
import { headerValue } from './responses.ts'

/** Operations on the same things, as far as a description shows that they belong together. */
interface Resource {
  /** Creates one and returns it. */
  readonly create: Operation
  /** Returns all of them, in pages. */
  readonly list: Operation | undefined
  /** The fields that clients do not send, because the service assigns them. */
  readonly assigned: readonly string[]
  /** Operations whose path ends in the identifier of one, with the field of the identifier. */
  readonly addressed: readonly { readonly operation: Operation; readonly field: string }[]
}

/**
 * Finds the resources of a description: a POST to a path, the GET of that path if it returns a list of
 * what the POST returns, and the operations one segment below whose parameter is an assigned field.
 */
export function resourcesOf({ description, values }: Bench): Resource[] {
  const { operations, locate } = description
  const resolved = (schema: Json | undefined) => {
    const { $ref } = toObject(schema)
    return typeof $ref === 'string' ? locate($ref)?.node : toObject(schema)
  }
  return operations.flatMap((create): Resource[] => {
    const { method, path, body, result } = create
    if (method !== 'POST' || body === undefined) return []
    const sent = values.fieldNamesOf(body.schema)
    const assigned = values.fieldNamesOf(result).filter((name) => !sent.includes(name))
    const addressed = operations.flatMap((operation) => {
      const rest = operation.path.startsWith(`${path}/`) ? operation.path.slice(path.length) : ''
      const name = /^\/\{([^{}/]+)\}$/.exec(rest)?.[1]?.toLowerCase()
      const field = assigned.find((one) => name?.endsWith(one.toLowerCase()))
      return field === undefined ? [] : [{ operation, field }]
    })
    const list = operations.find((one) => {
      const items = resolved(resolved(one.result)?.['items'])
      return one.method === 'GET' && one.path === path && isDeepStrictEqual(items, resolved(result))
    })
    return [{ create, assigned, addressed, list }]
  })
}

/** Makes the cases of requests with an Idempotency-Key: sent again, they are executed once. */
export function repeatedCases(bench: Bench, operation: Operation): Case[] {
  const { description, values, exchange } = bench
  const key = operation.parameters.find(({ name }) => name === 'Idempotency-Key')
  return [1, 2, 3].flatMap(() => {
    const draft = draftOf(description, values, operation)
    const texts = key && validTexts(values, key)
    if (draft === undefined || key === undefined || texts === undefined) return []
    const sent = toSent(description.basePath, withTexts(draft, key, texts))
    return caseOf('repeated', operation.operationId, [sent, sent], async () => {
      const client = await bench.newKey()
      const { response: first } = await exchange(sent, client)
      const before = await snapshot(bench)
      const { response: second, violations } = await exchange(sent, client)
      const isUnchanged = isDeepStrictEqual(await snapshot(bench), before)
      const [one, other] = [first, second].map(({ status, body }) => `${status} ${body}`)
      return [
        ...(one === other ? [] : [`the response is ${one}, then ${other}`]),
        ...(isUnchanged ? [] : ['the repeated request is executed again']),
        ...violations,
      ]
    })
  })
}

/** Makes the cases of created resources: each is found as it was sent, once, and no other changes. */
export function readBackCases(bench: Bench): Case[] {
  const { description, values } = bench
  return [1, 2, 3].flatMap(() =>
    resourcesOf(bench).flatMap((resource) => {
      const { create, addressed } = resource
      const draft = draftOf(description, values, create)
      if (draft === undefined) return []
      const sent = toSent(description.basePath, draft)
      const readBack = () => judgeCreated(bench, resource, draft)
      const existing = addressed.flatMap(({ operation, field }) => {
        const asking = draftOf(description, values, operation)
        if (asking === undefined) return []
        const both = [sent, toSent(description.basePath, asking)]
        return caseOf(`existing: ${operation.method}`, operation.operationId, both, async () => {
          const { response: created } = await bench.exchange(sent, await bench.newKey())
          const made = toObject(parseJson(created.body))
          const asked = toSent(description.basePath, addressTo(asking, made[field]))
          const { response, violations } = await bench.exchange(asked)
          const isExpected = operation.successes.includes(response.status)
          const message = `${asked.path} exists, and its status is ${response.status}`
          return [...(isExpected ? [] : [message]), ...violations]
        })
      })
      return [caseOf('read back', create.operationId, [sent], readBack), ...existing]
    }),
  )
}

/** Returns a request to what has an identifier. */
function addressTo(draft: Draft, identifier: Json | undefined): Draft {
  const { parameters, path } = draft.operation
  const last = parameters.find((one) => one.in === 'path' && path.endsWith(`{${one.name}}`))
  return last === undefined ? draft : withTexts(draft, last, [String(identifier)])
}

async function judgeCreated(
  bench: Bench,
  { create, addressed, list, assigned }: Resource,
  draft: Draft,
): Promise<string[]> {
  const { description, values, exchange } = bench
  const all = list && emptyDraft(description, list, draft)
  const limit = list?.parameters.find(({ name }) => name === 'limit')
  const before = await walk(bench, all)
  const sent = toSent(description.basePath, draft)
  const { response, violations } = await exchange(sent, await bench.newKey())
  if (response.status >= 300) return [`the status is ${response.status}`]
  const made = parseJson(response.body) ?? null
  const found = [...changedFields(sent, response, assigned)]
  for (const { operation, field } of addressed) {
    const isGet = operation.method === 'GET' && isDeepStrictEqual(operation.result, create.result)
    if (!isGet) continue
    const asking = addressTo(emptyDraft(description, operation, draft), toObject(made)[field])
    const { path, ...asked } = toSent(description.basePath, asking)
    const { response: again } = await exchange({ path, ...asked })
    const isSame = again.status === 200 && isDeepStrictEqual(parseJson(again.body), made)
    if (!isSame) found.push(`${path} returns ${again.status} ${again.body}, not what was created`)
  }
  if (list === undefined || all === undefined) return [...violations, ...found]
  const after = [...before, made]
  const pages = limit === undefined ? all : withTexts(all, limit, ['1'])
  found.push(...listViolations(after, await walk(bench, all)))
  found.push(...listViolations(after, await walk(bench, pages)))
  // A query parameter with the name of a field and an enum is a filter: each value finds its items.
  for (const parameter of list.parameters) {
    const isField = parameter.in === 'query' && Object.hasOwn(toObject(made), parameter.name)
    const forms = isField ? values.formsOf(parameter.schema) : []
    for (const value of forms.flatMap((form) => toList(form['enum']))) {
      const wanted = after.filter((item) => toObject(item)[parameter.name] === value)
      const filtered = await walk(bench, withTexts(all, parameter, [String(value)]))
      found.push(...listViolations(wanted, filtered))
    }
  }
  return [...violations, ...found]
}

function listViolations(wanted: readonly Json[], found: readonly Json[]): string[] {
  if (isDeepStrictEqual(found, wanted)) return []
  const [one, other] = [found, wanted].map(
    (items) => `${items.length} items, the last ${JSON.stringify(items.at(-1))}`,
  )
  return [`the list has ${one}; expected are ${other}`]
}

/** Returns everything that a list has, page by page, along the links to the next one. */
async function walk({ description, exchange }: Bench, draft: Draft | undefined): Promise<Json[]> {
  const items: Json[] = []
  const first = draft && toSent(description.basePath, draft)
  for (let sent: Sent | undefined = first; sent !== undefined; ) {
    const { response } = await exchange(sent)
    const page = parseJson(response.body)
    if (response.status !== 200 || !Array.isArray(page)) return items
    items.push(...page)
    const link = headerValue(response.headers, 'Link') ?? ''
    const next = /<([^>]*)>;\s*rel="next"/.exec(link)?.[1]
    sent = next === undefined ? undefined : { ...sent, path: next }
  }
  return items
}

/** Returns everything that clients can list, to see whether requests change it. */
export async function snapshot(bench: Bench): Promise<Json[][]> {
  const lists = resourcesOf(bench).flatMap(({ list }) => list ?? [])
  const free = lists.filter(({ parameters }) => !parameters.some(({ isRequired }) => isRequired))
  return Promise.all(free.map((list) => walk(bench, emptyDraft(bench.description, list))))
}
