import { deprecationHeaders } from './answer/deprecation.ts'
import type { AnyReply } from './answer/reply.ts'
import type { ReplyChecks } from './answer/writer.ts'
import { createAuthority } from './authority.ts'
import type { ContractOptions } from './description/contract-options.ts'
import type { Operation } from './description/operation.ts'
import { refuseFaulty } from './description/preflight.ts'
import type { OutgoingHeaders, Request, Response } from './exchange.ts'
import { createOperationCall } from './operation-call.ts'
import { isPlainAnswer } from './plain/plain-answer.ts'
import { createRouteTable, type RouteMatch } from './request/route-table.ts'

/** A description at run time: it finds operations, checks and calls them, and checks their answers. */
export interface Contract {
  readonly basePath: string
  readonly find: (method: string, path: string) => RouteMatch
  /** The header fields that every answer to a match carries. */
  readonly headersOf: (match: RouteMatch) => OutgoingHeaders
  /** Answers a request that is let in; rejects with a `Refusal`, or with what a handler threw. */
  readonly call: (request: Request, response: Response) => Promise<AnyReply>
  readonly checkReply: ReplyChecks
}

const noHeaders: OutgoingHeaders = {}

/** Makes a description run; rejects with a `ContractFault` when it cannot. */
export async function createContract(options: ContractOptions): Promise<Contract> {
  const { operations, basePath, validators, waivedHeaders: waived } = options
  await refuseFaulty(options)
  const findRoute = createRouteTable(Object.values(operations))
  const authority = createAuthority(options)
  const deprecated = new Map<Operation, OutgoingHeaders>()
  for (const operation of Object.values(operations)) {
    if (operation.deprecation === undefined) continue
    deprecated.set(operation, deprecationHeaders(operation, operations, basePath))
  }
  return {
    basePath,
    find(method, path) {
      if (!path.startsWith(`${basePath}/`)) return { kind: 'path-unknown' }
      return findRoute(method, path.slice(basePath.length))
    },
    headersOf: (match) =>
      (match.kind === 'operation' && deprecated.get(match.operation)) || noHeaders,
    call: createOperationCall(options, authority),
    checkReply(exchange, reply, headers) {
      const isSure =
        validators !== undefined &&
        isPlainAnswer(validators, exchange.match, reply, headers, waived)
      return isSure ? [] : authority.faultsOf(exchange, reply, headers)
    },
  }
}
