import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../support/traffic/contract-index.ts'
import { toObject } from '../../support/traffic/contract-index.ts'
import { headerValue } from '../../support/traffic/exchange.ts'
import { type Bench, type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import { credentialsOf } from '../support/credentials.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, toSent } from '../support/draft.ts'
import { type Fault, unless } from '../support/fault.ts'
import { type Resource, resourcesOf } from '../support/resources.ts'
import { type Sent, send, toCurl } from '../support/sent.ts'

/** What was added is found as it was sent, once, and nothing else is different. */
export function readBackCases(contract: Contract): Case[] {
  return resourcesOf(contract).map((resource) =>
    createCase({
      check: 'read back',
      operation: resource.create.operationId,
      values: draftsOf(contract, resource.create),
      judge: (draft, bench) => judgeAddition(draft, resource, bench),
      show: (draft, origin) => toCurl(toSent(draft), origin),
    }),
  )
}

async function judgeAddition(draft: Draft, resource: Resource, bench: Bench): Promise<Fault[]> {
  const { target, contract } = bench
  const key = await target.newCaller()
  const asks = resource.list.map((operation) => ask(contract, operation))
  const before = await Promise.all(asks.map((first) => walk(first, bench, key)))
  const sent = toSent(draft)
  const first = await send(target, sent, key)
  if (first.status >= 300) return unless(false, 'outcome', `it is answered ${first.status}`)
  const made = parse(first.body)
  const added = Object.entries(toObject(parse(sent.body ?? '')))
  const lost = added.filter(([name, value]) => !isDeepStrictEqual(toObject(made)[name], value))
  const after = await Promise.all(asks.map((one) => walk(one, bench, key)))
  const listed = before.map((list) => [...list, made])
  return [
    ...unless(
      lost.length === 0,
      'read back',
      `the answer has other values than were sent: ${lost.map(([name]) => name).join(', ')}`,
    ),
    ...(await judgeFound(made, resource, bench, key)),
    ...after.flatMap((list, at) => listFaults(listed[at] ?? [], list)),
  ]
}

async function judgeFound(made: Json, { get }: Resource, bench: Bench, key: string) {
  const found = get.map(async ({ operation, parameter, field }) => {
    const { contract, target, check } = bench
    const texts = new Map([[parameter, [String(toObject(made)[field])]]])
    const sent = toSent({ ...empty(contract, operation), texts })
    const answer = await send(target, sent, key)
    const isSame = answer.status === 200 && isDeepStrictEqual(parse(answer.body), made)
    const message = `${sent.path} answers ${answer.status} with ${answer.body}, and not with it`
    return [...unless(isSame, 'read back', message), ...check(sent, answer, operation.node)]
  })
  return (await Promise.all(found)).flat()
}

function listFaults(wanted: readonly Json[], found: readonly Json[]): Fault[] {
  if (isDeepStrictEqual(found, wanted)) return []
  const message = `the list has ${found.length} after it, and should have ${wanted.length}`
  const last = `the last is ${JSON.stringify(found.at(-1))}, not ${JSON.stringify(wanted.at(-1))}`
  return unless(false, 'read back', found.length === wanted.length ? last : message)
}

function ask(contract: Contract, operation: DescribedOperation): Sent {
  return toSent(empty(contract, operation))
}

/** A request with nothing in it but who calls. */
function empty(contract: Contract, operation: DescribedOperation): Draft {
  const credentials = credentialsOf(contract, operation)
  const none = { texts: new Map(), query: [], fields: [], mediaType: undefined, body: undefined }
  return { operation, credentials, ...none }
}

/** Everything that a list has, page by page, along the links to the next one. */
async function walk(first: Sent, { target }: Bench, key: string): Promise<Json[]> {
  const items: Json[] = []
  for (let sent: Sent | undefined = first; sent !== undefined; ) {
    const answer = await send(target, sent, key)
    const page = parse(answer.body)
    if (answer.status !== 200 || !Array.isArray(page)) return items
    items.push(...page)
    const link = headerValue(answer.headers, 'Link') ?? ''
    const next = /<([^>]*)>;\s*rel="next"/.exec(link)?.[1]
    sent = next === undefined ? undefined : { ...first, path: next }
  }
  return items
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
