import { ApiError, shorten } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import type { DeclaredAnswer } from './declared-answers.ts'
import { readPreferences, writePreferences } from './preferences.ts'

/** Which of its declared answers an operation is to give. */
export interface Choice {
  readonly answer: DeclaredAnswer
  /** The example that was asked for by name. */
  readonly example: string | undefined
  /** The preferences that led here, as `Preference-Applied` has them; '' when there were none. */
  readonly applied: string
}

/**
 * Chooses by `Prefer: code=…` and `Prefer: example=…`, else the first success; throws a `ApiError`
 * that lists what there is when something else was asked for.
 */
export function chooseAnswer(
  operation: Operation,
  answers: readonly DeclaredAnswer[],
  prefer: readonly string[],
): Choice {
  const preferences = readPreferences(prefer)
  if (preferences === undefined) {
    const what = `nothing for "${shorten(prefer.join(', '))}", which is no list of preferences`
    throw unknown(operation, answers, `${what} such as code=404, example="a name"`)
  }
  const wanted = new Map([...preferences].filter(([name]) => isKnown(name)))
  const code = wanted.get('code')
  const example = wanted.get('example')
  const answer = answers.find(code === undefined ? isSuccess : isOf(code)) ?? answers[0]
  if (answer === undefined || (code !== undefined && !isOf(code)(answer))) {
    throw unknown(operation, answers, `no answer with the code "${shorten(code ?? '')}"`)
  }
  if (example !== undefined && !answer.content?.examples.has(example)) {
    const what = `no example "${shorten(example)}" of its ${answer.status}`
    throw unknown(operation, answers, what)
  }
  return { answer, example, applied: writePreferences(wanted) }
}

function isKnown(name: string): boolean {
  return name === 'code' || name === 'example'
}

function isSuccess({ status }: DeclaredAnswer): boolean {
  return status >= 200 && status < 300
}

function isOf(code: string) {
  return ({ status }: DeclaredAnswer): boolean => String(status) === code
}

function unknown(operation: Operation, answers: readonly DeclaredAnswer[], what: string): ApiError {
  const list = answers.map(describe).join('; ')
  const message = `${operation.operationId} has ${what}. It has: ${list}.`
  const details = [{ path: '/headers/prefer', message: 'asks for what the contract does not have' }]
  return new ApiError({ status: 400, code: 'invalid_request' }, message, { details })
}

function describe({ status, content }: DeclaredAnswer): string {
  const names = [...(content?.examples.keys() ?? [])]
  return names.length === 0 ? `${status}` : `${status} (${names.join(', ')})`
}
