import { type HttpHandler, HttpResponse, http } from 'msw'
import { calls } from '../../generated/calls.ts'
import { examples } from '../../generated/examples.ts'
import type { operations as Contract } from '../../generated/openapi.d.ts'
import type { OperationId } from '../methods.ts'

type Examples = typeof examples
type ContentOf<T> = T extends { content: infer C } ? C[keyof C] : undefined

/** The statuses that the contract documents for an operation. */
export type StatusOf<Id extends OperationId> = keyof Contract[Id]['responses'] & keyof Examples[Id]

type BodiesOf<Id extends OperationId, Status> = Status extends keyof Examples[Id]
  ? Examples[Id][Status] extends { bodies: infer Bodies }
    ? Bodies
    : never
  : never

/** The name of an example of the contract, or an answer of one's own. */
export type AnswerOf<Id extends OperationId, Status extends StatusOf<Id>> =
  | keyof BodiesOf<Id, Status>
  | {
      readonly body: ContentOf<Contract[Id]['responses'][Status]>
      /** Header fields beside those of the contract's examples, or in their place. */
      readonly headers?: Readonly<Record<string, string>>
    }

/** What an operation may answer in a test. */
export interface Answers<Id extends OperationId> {
  /** Makes a handler that gives an answer of the contract: its first example unless one is named. */
  readonly answers: <Status extends StatusOf<Id>>(
    status: Status,
    answer?: AnswerOf<Id, Status>,
  ) => HttpHandler
  /** The handler that gives the first example of its success. */
  readonly succeeds: HttpHandler
}

interface Documented {
  readonly headers: Readonly<Record<string, string>>
  readonly bodies: Readonly<Record<string, unknown>>
}

/** Makes the answers of one operation of a service at a base URL. */
export function createAnswers<Id extends OperationId>(baseUrl: string, id: Id): Answers<Id> {
  const { method, path } = calls[id]
  const url = baseUrl.replace(/\/$/, '') + path.replaceAll(/\{([^{}]+)\}/g, ':$1')
  const documented = new Map<string, Documented>(Object.entries(examples[id]))
  const success = [...documented.keys()].find((status) => status.startsWith('2')) ?? '204'

  function give(status: string, answer: unknown): HttpHandler {
    const found = documented.get(status)
    const { body, headers } = choose(found, answer)
    const type = { 'Content-Type': 'application/json' }
    const init = { status: Number(status), headers: { ...type, ...found?.headers, ...headers } }
    const content = body === undefined ? null : JSON.stringify(body)
    return http[method](url, () => new HttpResponse(content, init))
  }
  return {
    answers: (status, answer) => give(String(status), answer),
    succeeds: give(success, undefined),
  }
}

interface Chosen {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function choose(found: Documented | undefined, answer: unknown): Chosen {
  if (typeof answer === 'object' && answer !== null && 'body' in answer) return answer
  const [first] = Object.keys(found?.bodies ?? {})
  return { body: found?.bodies[String(answer ?? first)] }
}
