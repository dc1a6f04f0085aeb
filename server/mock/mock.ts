import type { Mock, MockRequest } from '../contract/call-handler.ts'
import type { Description } from '../contract/description.ts'
import { ApiError } from '../contract/errors.ts'
import type { AnyResponse } from '../contract/handler.ts'
import { json, type ResponseHeaders, serviceHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { chooseAnswer } from './choice.ts'
import { type DeclaredAnswer, declaredAnswers, readExamples } from './declared-answers.ts'
import { createFitting } from './fitting.ts'

const applied = 'Preference-Applied'

/**
 * Makes a stand-in that answers with what the description shows: its examples, or else a sample of
 * the schema. `Prefer: code=…` and `Prefer: example=…` choose, as they do at other mock servers.
 */
export function createMock(description: Description): Mock {
  const fitting = createFitting(description)

  function headersOf(operation: Operation, answer: DeclaredAnswer, sent: MockRequest) {
    const headers: ResponseHeaders = {}
    for (const [name, header] of answer.headers) {
      if (isOfService(name)) continue
      const shown = [...readExamples(description, header).values()]
      const isRequired = header.node['required'] === true
      // What is only sent at times tells of something, and nothing has happened here.
      if (!isRequired && !(name === 'Link' && leadsOn(operation, answer, sent))) continue
      const found = fitting.find(header, shown)
      if (found.isFound) headers[name] = toField(found.value)
      else if (isRequired) throw cannotAnswer(operation, answer, `header ${name}`, found.faults)
    }
    return headers
  }

  function bodyOf(operation: Operation, answer: DeclaredAnswer, example: string | undefined) {
    if (answer.content === undefined) return {}
    const { at, mediaType, examples } = answer.content
    const found =
      example === undefined
        ? fitting.find(at, examples.values())
        : fitting.take(at, examples.get(example))
    if (!found.isFound) throw cannotAnswer(operation, answer, 'body', found.faults)
    return { mediaType, body: mediaType === json ? found.value : toField(found.value) }
  }

  return {
    readsHeaders: ['Prefer'],
    ownHeaders: [applied],
    respond(operation, sent): AnyResponse {
      const answers = declaredAnswers(description, operation)
      const choice = chooseAnswer(operation, answers, sent.prefer)
      const { answer, example } = choice
      const headers = headersOf(operation, answer, sent)
      if (choice.applied !== '') headers[applied] = choice.applied
      return { status: answer.status, headers, ...bodyOf(operation, answer, example) }
    },
  }
}

function isOfService(name: string): boolean {
  return serviceHeaders.some((own) => own === name)
}

// An example of a link leads to a next page, but not from where a link has led already, or a walk
// would never end.
function leadsOn(
  { paginatedBy }: Operation,
  { status }: DeclaredAnswer,
  { queryNames }: MockRequest,
): boolean {
  return status < 300 && paginatedBy !== undefined && !queryNames.includes(paginatedBy)
}

function toField(value: unknown): string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}

// A status that the operation does not declare would be off the contract, so it is not 501.
function cannotAnswer(
  { operationId }: Operation,
  { status }: DeclaredAnswer,
  part: string,
  [fault = '']: readonly string[],
): ApiError {
  const why = `no sample of its ${status} keeps the contract: ${part} ${fault.trim()}`
  const advice = 'Add an example to the description, or ask for another answer with Prefer: code=…'
  const message = `${operationId} has no handler, and ${why}. ${advice}.`
  return new ApiError({ status: 500, code: 'internal_error' }, message)
}
