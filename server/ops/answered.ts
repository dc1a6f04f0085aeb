import type { RequestObserver } from './request-observer.ts'

/** One request as it was answered. */
export interface Answered {
  /** When it came, as an RFC 3339 date-time. */
  readonly at: string
  /** The `X-Request-Id` of the answer. */
  readonly id: string
  readonly method: string
  /** The path with its query, as it was sent. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** Where the answer breaks the contract. */
  readonly violations: readonly string[]
  /** The `code` of the Error object that was answered. */
  readonly code?: string
}

export type OnAnswer = (answered: Answered) => void

/** Makes what tells of each answer under the contract how it went. */
export function tellAnswers(onAnswer: OnAnswer): RequestObserver {
  return function watch({ method, url: path }, response) {
    const at = new Date().toISOString()
    return function tell(outcome) {
      const { requestId: id, violations, errorCode, isApiRequest } = response.locals
      if (!isApiRequest) return
      const milliseconds = Math.round(outcome.milliseconds * 10) / 10
      const answered = { at, id, method, path, status: response.statusCode, milliseconds }
      const code = errorCode === undefined ? {} : { code: errorCode }
      onAnswer({ ...answered, violations, ...code })
    }
  }
}
