import type { Request, Response } from 'express'
import { createAnswerChecks } from './answer/answer-checks.ts'
import { deprecationHeaders } from './answer/deprecation.ts'
import { type AnyReply, json } from './answer/reply.ts'
import type { ReplyChecks } from './answer/writer.ts'
import type { ContractOptions } from './description/contract-options.ts'
import type { Operation } from './description/operation.ts'
import { refuseFaulty } from './description/preflight.ts'
import type { OutgoingHeaders } from './exchange.ts'
import { createOperationCall } from './operation-call.ts'
import { createRouteTable, type RouteMatch } from './request/route-table.ts'
import { type OpenApiChecks, openApiChecksOf } from './validator/openapi-validator.ts'

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

/** Makes a description run; throws a `ContractFault` when it cannot. */
export function createContract(options: ContractOptions): Contract {
  const { description, operations, basePath, handlers, standIn } = options
  refuseFaulty(options)
  const findRoute = createRouteTable(Object.values(operations))
  const checkAnswer = createAnswerChecks(description, {
    waived: options.waivedHeaders,
    added: standIn?.ownHeaders ?? [],
  })
  const checksOf = (operation: Operation) => openApiChecksOf(description, basePath, operation)
  return {
    basePath,
    find(method, path) {
      if (!path.startsWith(`${basePath}/`)) return { kind: 'path-unknown' }
      return findRoute(method, path.slice(basePath.length))
    },
    headersOf: (match) =>
      match.kind === 'operation' ? deprecationHeaders(match.operation, operations, basePath) : {},
    call: createOperationCall(handlers, checksOf, standIn),
    async checkReply({ match }, { status, body, mediaType = json }, headers) {
      const faults = checkAnswer(match, { status, headers, mediaType, body })
      if (faults.length > 0 || match.kind !== 'operation' || status >= 500) return faults
      return responseFaults(checksOf(match.operation), status, body)
    },
  }
}

async function responseFaults(checks: OpenApiChecks, status: number, body: unknown) {
  try {
    await checks.response(status, body)
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
