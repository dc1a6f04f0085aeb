import { deprecationHeaders } from './answer/deprecation.ts'
import type { AnyReply } from './answer/reply.ts'
import { securityHeaders } from './answer/service-headers.ts'
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
  /** Whether a path lies under the base path, so that the contract rules its answers. */
  readonly rules: (path: string) => boolean
  readonly find: (method: string, path: string) => RouteMatch
  /** The header fields that every answer to a match carries. */
  readonly headersOf: (match: RouteMatch) => OutgoingHeaders
  /** Answers a request that is let in; throws, or rejects with, a `Refusal` or what a handler threw. */
  readonly call: (request: Request, response: Response) => AnyReply | Promise<AnyReply>
  readonly checkReply: ReplyChecks
}

/** Makes a description run; rejects with a `ContractFault` when it cannot. */
export async function createContract(options: ContractOptions): Promise<Contract> {
  const { operations, basePath, validators, waivedHeaders: waived } = options
  await refuseFaulty(options)
  const findRoute = createRouteTable(Object.values(operations))
  const authority = createAuthority(options)
  const deprecated = new Map<Operation, OutgoingHeaders>()
  for (const operation of Object.values(operations)) {
    if (operation.deprecation === undefined) continue
    const announced = deprecationHeaders(operation, operations, basePath)
    deprecated.set(operation, { ...securityHeaders, ...announced })
  }
  const prefix = `${basePath}/`
  return {
    rules: (path) => path.startsWith(prefix) || path === basePath,
    find(method, path) {
      if (!path.startsWith(prefix)) return { kind: 'path-unknown' }
      return findRoute(method, path.slice(basePath.length))
    },
    headersOf: (match) =>
      (match.kind === 'operation' && deprecated.get(match.operation)) || securityHeaders,
    call: createOperationCall(options, authority),
    checkReply(exchange, reply, headers) {
      const isSure =
        validators !== undefined &&
        isPlainAnswer(validators, exchange.match, reply, headers, waived)
      return isSure ? [] : authority.faultsOf(exchange, reply, headers)
    },
  }
}
