import fc from 'fast-check'
import { type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import { malformed } from '../support/credentials.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, toSent } from '../support/draft.ts'
import { toCurl } from '../support/sent.ts'
import { judgeRefused, refusals } from './refusal.ts'

/** What a caller may get wrong before the request is looked at: who asks, and what is accepted. */
export function callerCases(contract: Contract, operation: DescribedOperation): Case[] {
  const whole = draftsOf(contract, operation)
  const broken = (check: string, status: number, drafts: fc.Arbitrary<Draft>) =>
    createCase({
      check,
      operation: operation.operationId,
      values: drafts,
      judge: (draft, bench) =>
        judgeRefused(toSent(draft), bench, { status, operation: operation.node }),
      show: (draft, origin) => toCurl(toSent(draft), origin),
    })
  const credentials = operation.schemes.flatMap((_, number) => {
    const wrong = whole.chain((draft) => {
      const [own] = draft.credentials.slice(number)
      const others = draft.credentials.toSpliced(number, 1)
      const fields = own === undefined ? fc.constant([]) : malformed(own)
      return fields.map((field) => ({ ...draft, credentials: [...others, ...field] }))
    })
    const missing = whole.map((draft) => {
      return { ...draft, credentials: draft.credentials.toSpliced(number, 1) }
    })
    return [
      broken('credential: missing', refusals.credential, missing),
      broken('credential: malformed', refusals.credential, wrong),
    ]
  })
  const ruledOut = fc.constantFrom('text/html', 'application/xml', '*/*;q=0', 'image/*')
  const choosy = fc.tuple(whole, ruledOut).map(([draft, value]) => {
    return { ...draft, fields: [...draft.fields, { name: 'Accept', value }] }
  })
  return [...credentials, broken('accept', refusals.accept, choosy)]
}
