import fc from 'fast-check'
import { type Bench, type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, isOpaque, isTooLarge, toSent, withTexts } from '../support/draft.ts'
import { type Fault, unless } from '../support/fault.ts'
import { textEdgesOf } from '../support/parameter-texts.ts'
import { send, toCurl } from '../support/sent.ts'
import { refusals } from './refusal.ts'

/** Methods that only ask (RFC 9110, section 9.2.1). */
const safe = ['GET', 'HEAD', 'OPTIONS']

/** What keeps the contract is answered with success, and what only just keeps it too. */
export function acceptedCases(contract: Contract, operation: DescribedOperation): Case[] {
  const whole = draftsOf(contract, operation)
  const accepted = (check: string, drafts: fc.Arbitrary<Draft>) =>
    createCase({
      check,
      operation: operation.operationId,
      values: drafts,
      judge: judgeAccepted,
      show: (draft, origin) => toCurl(toSent(draft), origin),
    })
  const made = operation.parameters.filter((parameter) => !isOpaque(operation, parameter))
  const ofParameters = made.flatMap((parameter) =>
    textEdgesOf(contract, parameter).map(({ keyword, texts }) => {
      const drafts = fc
        .tuple(whole, texts)
        .map(([draft, text]) => withTexts(draft, parameter, text))
      return accepted(`accepted: ${keyword}`, drafts)
    }),
  )
  const { body } = operation
  const ofBody = (body === undefined ? [] : contract.edgesOf(body.schema)).map(
    ({ keyword, values }) => {
      const drafts = fc.tuple(whole, values).map(([draft, value]) => {
        return { ...draft, mediaType: body?.mediaType, body: JSON.stringify(value) }
      })
      return accepted(`accepted: ${keyword}`, drafts)
    },
  )
  const bare = whole.map((draft) => ({ ...draft, mediaType: undefined, body: undefined }))
  const withoutBody = body?.isRequired === false ? [accepted('accepted: no body', bare)] : []
  return [accepted('accepted', whole), ...ofParameters, ...ofBody, ...withoutBody]
}

async function judgeAccepted(draft: Draft, { check, target }: Bench): Promise<Fault[]> {
  const { operation } = draft
  const sent = toSent(draft)
  // What somebody has asked for before may decide what is answered now.
  const isSafe = safe.includes(sent.method)
  const key = isSafe ? target.apiKey : await target.newCaller()
  const before = isSafe ? target.state() : undefined
  const answer = await send(target, sent, key)
  const isAddressed = operation.parameters.some(({ in: place }) => place === 'path')
  // Nobody says that there is something under a path that was made up.
  const usual = [...operation.successes, ...(isAddressed ? [refusals.path] : [])]
  const allowed = isTooLarge(draft) ? [refusals.size] : usual
  const isAllowed = allowed.includes(answer.status)
  const message = `it is answered ${answer.status} instead of ${allowed.join(' or ')}`
  const isSame = !isSafe || target.state() === before
  return [
    ...unless(isAllowed, 'outcome', message),
    ...check(sent, answer, operation.node),
    ...unless(isSame, 'store', 'it only asks, and changes what is kept'),
  ]
}
