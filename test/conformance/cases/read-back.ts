import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type Json, type JsonObject, toObject } from '../../support/traffic/contract-index.ts'
import { type Bench, type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, toSent, withTexts } from '../support/draft.ts'
import { type Fault, unless } from '../support/fault.ts'
import { filtersOf } from '../support/filters.ts'
import { type Resource, resourcesOf } from '../support/resources.ts'
import { type Sent, send, toCurl } from '../support/sent.ts'
import { emptyDraft, parse, sharedTexts, walk } from './walk.ts'

/** Something to add, and how each list is asked for afterwards. */
interface Addition {
  readonly draft: Draft
  readonly lists: readonly Draft[]
}

/** What was added is found as it was sent, once, and nothing else is different. */
export function readBackCases(contract: Contract): Case[] {
  return resourcesOf(contract).map((resource) =>
    createCase({
      check: 'read back',
      operation: resource.create.operationId,
      values: fc.record({
        draft: draftsOf(contract, resource.create),
        lists: fc.tuple(...resource.list.map((list) => wholeLists(contract, list))),
      }),
      judge: (addition, bench) => judgeAddition(addition, resource, bench),
      show: ({ draft, lists }, origin) =>
        [draft, ...lists].map((one) => toCurl(toSent(one), origin)).join('\n  '),
    }),
  )
}

/** Ways to ask for everything that a list has, in pages of any size. */
function wholeLists(contract: Contract, list: DescribedOperation): fc.Arbitrary<Draft> {
  const filters = filtersOf(contract, list).map(({ parameter }) => parameter)
  return draftsOf(contract, list).map((draft) => {
    const texts = [...draft.texts].filter(([parameter]) => !filters.includes(parameter))
    return { ...draft, texts: new Map(texts) }
  })
}

async function judgeAddition(
  { draft, lists }: Addition,
  resource: Resource,
  bench: Bench,
): Promise<Fault[]> {
  const { target, contract } = bench
  const key = await target.newCaller()
  const asks = resource.list.map((one) => toSent(emptyDraft(contract, one, draft)))
  const before = await Promise.all(asks.map((ask) => walk(ask, bench, key)))
  const sent = toSent(draft)
  const answer = await send(target, sent, key)
  if (answer.status >= 300) return unless(false, 'outcome', `it is answered ${answer.status}`)
  const made = parse(answer.body)
  const drawn = lists.map((list) => {
    return { ...list, texts: new Map([...list.texts, ...sharedTexts(list.operation, draft)]) }
  })
  const after = await Promise.all(drawn.map((list) => walk(toSent(list), bench, key)))
  return [
    ...bench.check(sent, answer, resource.create.node),
    ...changeFaults(toObject(parse(sent.body ?? '')), toObject(made), resource),
    ...(await judgeFound(made, draft, resource, bench)),
    ...after.flatMap((list, at) => listFaults([...(before[at] ?? []), made], list)),
    ...(await judgeFiltered(after, draft, resource, bench)),
  ]
}

/** What was sent is answered, and nothing more than what the service assigns. */
function changeFaults(sent: JsonObject, made: JsonObject, { assigned }: Resource): Fault[] {
  const names = Object.keys({ ...sent, ...made }).filter((name) => !assigned.includes(name))
  const changed = names.filter((name) => !isDeepStrictEqual(made[name], sent[name]))
  const message = `the answer has another ${changed.join(' and another ')} than was sent`
  return unless(changed.length === 0, 'read back', message)
}

async function judgeFound(made: Json, draft: Draft, { get }: Resource, bench: Bench) {
  const found = get.map(async ({ operation, parameter, field }) => {
    const { contract, target, check } = bench
    const texts = [String(toObject(made)[field])]
    const sent = toSent(withTexts(emptyDraft(contract, operation, draft), parameter, texts))
    const answer = await send(target, sent, target.apiKey)
    const isSame = answer.status === 200 && isDeepStrictEqual(parse(answer.body), made)
    const message = `${sent.path} answers ${answer.status} with ${answer.body}, and not with it`
    return [...unless(isSame, 'read back', message), ...check(sent, answer, operation.node)]
  })
  return (await Promise.all(found)).flat()
}

function listFaults(wanted: readonly Json[], found: readonly Json[]): Fault[] {
  const isSame = isDeepStrictEqual(found, wanted)
  const [one, other] = [JSON.stringify(found.at(-1)), JSON.stringify(wanted.at(-1))]
  const counts = `${found.length} that end with ${one}, and not ${wanted.length} that end with ${other}`
  return unless(isSame, 'read back', `the list has ${counts}`)
}

/** A parameter of a list that is called and described as a field of its items is a filter. */
async function judgeFiltered(
  lists: readonly (readonly Json[])[],
  draft: Draft,
  { list }: Resource,
  bench: Bench,
): Promise<Fault[]> {
  const asked = list.flatMap((operation, at) =>
    filtersOf(bench.contract, operation).map(async ({ parameter, values }) => {
      const { name } = parameter
      const faults = values.map(async (value) => {
        const whole = emptyDraft(bench.contract, operation, draft)
        const sent: Sent = toSent(withTexts(whole, parameter, [String(value)]))
        const wanted = (lists[at] ?? []).filter((item) => toObject(item)[name] === value)
        return listFaults(wanted, await walk(sent, bench, bench.target.apiKey))
      })
      return (await Promise.all(faults)).flat()
    }),
  )
  return (await Promise.all(asked)).flat()
}
