import type { Admit, Applicant } from './access/admission.ts'
import { Refusal } from './contract/answer/refusal.ts'
import type { AnyReply } from './contract/answer/reply.ts'
import type { Contract } from './contract/contract.ts'
import { isPublic } from './contract/description/operation.ts'
import type { Exchange, Request, Response } from './contract/exchange.ts'
import { refuseMisframed } from './contract/open-exchange.ts'
import { answerPage, type Pages } from './contract/pages.ts'
import { addressOf } from './contract/request/address.ts'
import type { CrossOrigin } from './contract/request/cross-origin.ts'
import { fieldValues } from './contract/request/field-values.ts'

export interface ReplyOptions {
  readonly contract: Pick<Contract, 'call'>
  readonly admit: Admit
  readonly crossOrigin: CrossOrigin
  readonly pages: Pages
  /** How many proxies stand in front and append to `X-Forwarded-For`. */
  readonly trustProxy: number
}

/** Decides what a request is answered; rejects with a `Refusal`, or with what went wrong. */
export async function decideReply(
  { contract, crossOrigin, pages, admit, trustProxy }: ReplyOptions,
  request: Request,
  response: Response,
): Promise<AnyReply> {
  const { exchange } = response.locals
  const preflight = crossOrigin.open(request, response)
  // Browsers show a refusal to programs only when it is marked as theirs.
  refuseMisframed(request, response)
  if (preflight !== undefined) return preflight
  if (!exchange.underContract) return replyWithPage(pages, request, exchange.path)
  const { headers, callerId, refusal } = await admit(toApplicant(request, exchange, trustProxy))
  Object.assign(exchange.headers, headers)
  if (refusal !== undefined) throw refusal
  exchange.callerId = callerId
  return await contract.call(request, response)
}

async function replyWithPage(pages: Pages, request: Request, path: string): Promise<AnyReply> {
  const page = await answerPage(pages, request, path)
  if (page !== undefined) return page
  throw new Refusal({ status: 404, code: 'not_found' }, 'There is no such path.')
}

function toApplicant(request: Request, { match }: Exchange, trustProxy: number): Applicant {
  return {
    credentials: fieldValues(request, 'authorization'),
    address: () => addressOf(request, trustProxy),
    isKeyOptional: () => match.kind === 'operation' && isPublic(match.operation),
  }
}

/** What was asked for, in a name of which there are few. */
export function nameOf({ locals: { exchange } }: Response): string {
  const { match, underContract, path } = exchange
  if (match.kind === 'operation') return match.operation.operationId
  return underContract ? 'no operation' : path
}
