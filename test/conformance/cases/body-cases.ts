import fc from 'fast-check'
import { type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedBody, DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, isTooLarge, toSent } from '../support/draft.ts'
import { toCurl } from '../support/sent.ts'
import { judgeRefused, type Refused, refusals } from './refusal.ts'

/** Every way to break the body of an operation, alone. */
export function bodyCases(contract: Contract, operation: DescribedOperation): Case[] {
  const { body } = operation
  if (body === undefined) return []
  const whole = draftsOf(contract, operation).filter((draft) => draft.body !== undefined)
  const { content } = refusals
  const broken = (check: string, drafts: fc.Arbitrary<Draft>, refused: Refused) =>
    createCase({
      check: `body: ${check}`,
      operation: operation.operationId,
      values: drafts,
      judge: (draft, bench) =>
        judgeRefused(toSent(draft), bench, {
          ...refused,
          // How much there is is seen before what it says.
          ...(refused.status === content && isTooLarge(draft) ? { status: refusals.size } : {}),
          operation: operation.node,
        }),
      show: (draft, origin) => toCurl(toSent(draft), origin),
    })
  return [
    ...contract.breaksOf(body.schema).map(({ keyword, place, values }) => {
      const drafts = fc
        .tuple(whole, values)
        .map(([draft, value]) => ({ ...draft, body: JSON.stringify(value) }))
      return broken(keyword, drafts, { status: content, place: `/body${place}` })
    }),
    ...(body.isRequired ? [broken('missing', whole.map(withoutBody), { status: content })] : []),
    broken('not JSON', whole.chain(garbled), { status: content }),
    broken('media type', whole.chain(mistyped(body)), { status: refusals.mediaType }),
    ...tooLarge(body, whole, broken),
  ]
}

function withoutBody(draft: Draft): Draft {
  return { ...draft, mediaType: undefined, body: undefined }
}

function garbled(draft: Draft): fc.Arbitrary<Draft> {
  const text = draft.body ?? ''
  const cut = fc.integer({ min: 1, max: text.length - 1 }).map((length) => text.slice(0, length))
  const added = fc.constantFrom('}', ',', 'x', '{}', '\u0000', '//').map((more) => text + more)
  const others = fc.constantFrom(`\uFEFF${text}`, `(${text})`, text.replaceAll('"', "'"), ' ')
  return fc
    .oneof(cut, added, others)
    .filter((body) => !isJson(body))
    .map((body) => ({ ...draft, body }))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function mistyped({ mediaType }: DescribedBody) {
  const near = [`${mediaType}5`, mediaType.replace('/', '/x-'), mediaType.split('/')[0]]
  const common = ['text/plain', 'text/html', 'application/xml', '*/*', 'multipart/form-data']
  const token = fc.stringMatching(/^[a-z][a-z0-9.+-]{0,10}$/)
  const any = fc.tuple(token, token).map((parts) => parts.join('/'))
  const types = fc
    .oneof(fc.constantFrom(undefined, ...near, ...common), any)
    .filter((type) => type !== mediaType)
  return (draft: Draft): fc.Arbitrary<Draft> => types.map((type) => ({ ...draft, mediaType: type }))
}

function tooLarge(
  { maxBytes }: DescribedBody,
  whole: fc.Arbitrary<Draft>,
  broken: (check: string, drafts: fc.Arbitrary<Draft>, refused: Refused) => Case,
): Case[] {
  if (maxBytes === undefined) return []
  const more = fc.integer({ min: 1, max: 1_000 })
  // White space around JSON means nothing, so that size is all that is wrong.
  const padded = fc.tuple(whole, more).map(([draft, extra]) => {
    const missing = Math.max(0, maxBytes + extra - Buffer.byteLength(draft.body ?? ''))
    return { ...draft, body: draft.body + ' '.repeat(missing) }
  })
  return [broken('too large', padded, { status: refusals.size })]
}
