import { dereference, type JsonObject, toObject } from '../../../scripts/pipeline/description.ts'
import { type Authority, createAuthority } from '../../../server/contract/authority.ts'
import type { Exchange, OutgoingHeaders } from '../../../server/contract/exchange.ts'
import { isPlainAnswer } from '../../../server/contract/plain/plain-answer.ts'
import { createContract } from '../../conformance/support/contract.ts'
import { createDice, type Dice } from './dice.ts'
import type { Extent } from './extent.ts'
import { createRoughValues } from './rough-values.ts'
import type { Served } from './served.ts'
import { createValueSource, type ValueSource } from './value-source.ts'

/** Where an answer is described. */
export interface AnswerPlace {
  readonly match: Exchange['match']
  readonly status: number
  readonly response: JsonObject
}

/** What came of answers of one status. */
export interface AnswerTally {
  accepted: number
  /** Accepted although something is wrong with them. */
  readonly findings: string[]
}

/** Every status of every operation, and of what belongs to none. */
export function answerPlaces({ description, operations }: Served): AnswerPlace[] {
  const placed = (match: Exchange['match'], responses: unknown): AnswerPlace[] =>
    Object.entries(toObject(responses))
      .filter(([status]) => /^\d+$/.test(status))
      .map(([status, response]) => {
        return { match, status: Number(status), response: dereference(description, response) }
      })
  const paths = toObject(description['paths'])
  const own = Object.values(operations).flatMap((operation) => {
    const item = dereference(description, paths[operation.path])
    const match = { kind: 'operation', operation, pathValues: {} } as const
    return placed(match, toObject(item[operation.method])['responses'])
  })
  return [...own, ...placed({ kind: 'path-unknown' }, description['x-outside-operations'])]
}

// There are many schemas, and what breaks an error takes long to make.
const richness = { valid: 50, each: 0 }

/**
 * Looks for answers that the validators accept and the authority finds fault with; headers may be
 * waived.
 */
export function createAnswerDrive(
  served: Served,
  { runs, seed }: Extent,
  waived: readonly string[] = [],
) {
  const { description, operations, basePath, validators } = served
  const authority = createAuthority({
    ...{ description, operations, basePath, isLinted: false, handlers: {}, authenticates: {} },
    waivedHeaders: waived,
  })
  const dice = createDice(seed)
  const contract = createContract(JSON.parse(JSON.stringify(description)))
  const roughValueOf = createRoughValues(description, dice)
  const toSource = (schema: unknown) =>
    createValueSource(contract, schema, roughValueOf, dice, richness)

  return async function drive({ match, status, response }: AnswerPlace): Promise<AnswerTally> {
    const { content } = response
    const media = Object.values(toObject(content)).map((one) => toSource(toObject(one)['schema']))
    const fields = Object.entries(toObject(response['headers'])).map(
      ([name, header]) => [name, toSource(dereference(description, header)['schema'])] as const,
    )
    const tally: AnswerTally = { accepted: 0, findings: [] }
    for (let run = 0; run < runs && tally.findings.length === 0; run++) {
      const isOdd = () => dice.chance(0.05)
      const isWaived = waived.length > 0 && dice.chance(0.5)
      const sent = isWaived ? fields.filter(([name]) => !waived.includes(name)) : fields
      const headers = makeHeaders(sent, dice, isOdd)
      const reply = { status, body: makeBody(media, dice, dice.chance(0.5)) }
      if (!isPlainAnswer(validators, match, reply, headers, waived)) continue
      tally.accepted++
      const faults = await faultsOf(authority, match, reply, headers)
      if (faults.length === 0) continue
      const of = match.kind === 'operation' ? match.operation.operationId : match.kind
      const shown = JSON.stringify({ headers, body: reply.body })
      tally.findings.push(`${of} ${status}: ${faults.join()}\n  ${shown}\n  seed ${seed}`)
    }
    return tally
  }
}

type Fields = readonly (readonly [name: string, source: ValueSource])[]

function makeHeaders(fields: Fields, { chance, pick }: Dice, isOdd: () => boolean) {
  const rows: [string, unknown][] = []
  for (const [name, { plain, odd }] of fields) {
    if (isOdd()) rows.push([pick([name, name.toLowerCase()]), odd()])
    else if (chance(0.95)) rows.push([name, plain()])
  }
  if (isOdd()) rows.push([pick(['X-Other', '__proto__', 'constructor']), pick(['a', undefined])])
  const headers: OutgoingHeaders = {}
  return Object.assign(headers, Object.fromEntries(rows))
}

function makeBody(media: readonly ValueSource[], dice: Dice, isOdd: boolean): unknown {
  if (media.length === 0) return isOdd && dice.chance(0.1) ? {} : undefined
  const { plain, odd } = dice.pick(media)
  return isOdd ? odd() : plain()
}

function faultsOf(
  authority: Authority,
  match: Exchange['match'],
  reply: { readonly status: number; readonly body: unknown },
  headers: OutgoingHeaders,
) {
  const exchange: Exchange = {
    ...{ requestId: 'differential', path: '/', rawQuery: '', underContract: true, match },
    ...{ headers: {}, callerId: 'caller', faults: [], errorCode: undefined },
  }
  return authority.faultsOf(exchange, { ...reply, body: structuredClone(reply.body) }, headers)
}
