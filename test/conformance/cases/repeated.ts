import fc from 'fast-check'
import { type Bench, type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, toSent, withTexts } from '../support/draft.ts'
import { type Fault, unless } from '../support/fault.ts'
import { textsOf } from '../support/parameter-texts.ts'
import { send, toCurl } from '../support/sent.ts'

/** With an Idempotency-Key a request may be repeated: it is answered again, and done once. */
export function repeatedCases(contract: Contract, operation: DescribedOperation): Case[] {
  const keys = operation.parameters.filter(({ name }) => name === 'Idempotency-Key')
  return keys.map((parameter) =>
    createCase({
      check: 'repeated',
      operation: operation.operationId,
      values: fc
        .tuple(draftsOf(contract, operation), textsOf(contract, parameter))
        .map(([draft, texts]) => withTexts(draft, parameter, texts)),
      judge: judgeRepeated,
      show: (draft, origin) => toCurl(toSent(draft), origin),
    }),
  )
}

async function judgeRepeated(draft: Draft, { check, target }: Bench): Promise<Fault[]> {
  const key = await target.newCaller()
  const sent = toSent(draft)
  const first = await send(target, sent, key)
  const before = target.state()
  const second = await send(target, sent, key)
  const isSame = first.status === second.status && first.body === second.body
  const message = `it is answered ${first.status} ${first.body}, then ${second.status} ${second.body}`
  return [
    ...unless(isSame, 'read back', message),
    ...check(sent, second, draft.operation.node),
    ...unless(target.state() === before, 'store', 'repeated, it changes what is kept'),
  ]
}
