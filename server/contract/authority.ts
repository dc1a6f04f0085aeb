import type { AnyReply } from './answer/reply.ts'
import { json } from './answer/reply.ts'
import type { ContractOptions } from './description/contract-options.ts'
import type { Operation } from './description/operation.ts'
import type { Exchange, OutgoingHeaders } from './exchange.ts'
import type { OpenApiChecks } from './validator/openapi-validator.ts'

/** Decides on requests and answers of which it is not certain that they keep the contract. */
export interface Authority {
  /** The checks of an operation by express-openapi-validator. */
  readonly checksOf: (operation: Operation) => Promise<OpenApiChecks>
  /** Where an answer breaks the contract. */
  readonly faultsOf: (
    exchange: Exchange,
    reply: AnyReply,
    headers: OutgoingHeaders,
  ) => Promise<readonly string[]>
}

/** Makes the authority on a description. It is loaded when it is first asked: most is in no doubt. */
export function createAuthority(options: ContractOptions): Authority {
  const { description, basePath, standIn } = options
  let answerChecks: ReturnType<typeof loadAnswerChecks> | undefined

  async function loadAnswerChecks() {
    const { createAnswerChecks } = await import('./answer/answer-checks.ts')
    const added = standIn?.ownHeaders ?? []
    return createAnswerChecks(description, { waived: options.waivedHeaders, added })
  }

  async function checksOf(operation: Operation): Promise<OpenApiChecks> {
    const { openApiChecksOf } = await import('./validator/openapi-validator.ts')
    return openApiChecksOf(description, basePath, operation)
  }

  return {
    checksOf,
    async faultsOf({ match }, { status, body, mediaType = json }, headers) {
      answerChecks ??= loadAnswerChecks()
      const faults = (await answerChecks)(match, { status, headers, mediaType, body })
      if (faults.length > 0 || match.kind !== 'operation' || status >= 500) return faults
      return responseFaults(await checksOf(match.operation), status, body)
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
