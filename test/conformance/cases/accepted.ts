import { type Bench, type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, toSent } from '../support/draft.ts'
import { type Fault, unless } from '../support/fault.ts'
import { send, toCurl } from '../support/sent.ts'
import { refusals } from './refusal.ts'

/** Methods that only ask (RFC 9110, section 9.2.1). */
const safe = ['GET', 'HEAD', 'OPTIONS']

/** What keeps the contract is answered with success. */
export function acceptedCases(contract: Contract, operation: DescribedOperation): Case[] {
  const accepted = createCase({
    check: 'accepted',
    operation: operation.operationId,
    values: draftsOf(contract, operation),
    judge: judgeAccepted,
    show: (draft, origin) => toCurl(toSent(draft), origin),
  })
  return [accepted]
}

async function judgeAccepted(draft: Draft, { check, target }: Bench): Promise<Fault[]> {
  const { operation } = draft
  const sent = toSent(draft)
  // What somebody has asked for before may decide what is answered now.
  const isSafe = safe.includes(sent.method)
  const key = isSafe ? target.apiKey : await target.newCaller()
  const before = target.state()
  const answer = await send(target, sent, key)
  const isAddressed = operation.parameters.some(({ in: place }) => place === 'path')
  // Nobody says that there is something under a path that was made up.
  const allowed = [...operation.successes, ...(isAddressed ? [refusals.path] : [])]
  const wanted = allowed.join(' or ')
  const isSame = !isSafe || target.state() === before
  return [
    ...unless(
      allowed.includes(answer.status),
      'outcome',
      `it is answered ${answer.status} instead of ${wanted}`,
    ),
    ...check(sent, answer, operation.node),
    ...unless(isSame, 'store', 'it only asks, and changes what is kept'),
  ]
}
