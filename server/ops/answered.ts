import type { NextFunction, Request, Response } from 'express'

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

/** Makes the step that tells of each answer under the contract how it went. */
export function tellAnswers(onAnswer: OnAnswer) {
  return function tell(request: Request, response: Response, next: NextFunction): void {
    const at = new Date().toISOString()
    const from = performance.now()
    const { method, url } = request
    response.once('close', () => {
      const { exchange } = response.locals
      if (exchange === undefined || !exchange.underContract) return
      const { requestId: id, faults, errorCode } = exchange
      const milliseconds = Math.round((performance.now() - from) * 10) / 10
      const answered = { at, id, method, path: url, status: response.statusCode, milliseconds }
      const code = errorCode === undefined ? {} : { code: errorCode }
      onAnswer({ ...answered, violations: faults, ...code })
    })
    next()
  }
}
