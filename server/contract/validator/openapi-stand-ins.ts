import type { NextFunction, Request, RequestHandler, Response } from 'express'

/** A request as the validator gets to see it: decoded by us, and nothing else of what was sent. */
export interface RequestParts {
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: Readonly<Record<string, string>>
  readonly mediaType: string | undefined
  readonly body: unknown
  /** Whether the caller's credential was checked and found good. */
  readonly authenticated: boolean
}

/** A request for the validator alone, made of parts. */
export function toRequest(method: string, parts: RequestParts): Request {
  const { path } = parts
  const mediaType = parts.mediaType === undefined ? {} : { 'content-type': parts.mediaType }
  const request: Request = Object.create(null)
  return Object.assign(request, {
    method: method.toUpperCase(),
    originalUrl: path,
    url: path,
    path,
    baseUrl: '',
    params: {},
    query: { ...parts.query },
    headers: { ...parts.headers, ...mediaType },
    cookies: { ...parts.cookies },
    body: parts.body,
    // It asks the application for its routing options and offers it the path parameters.
    app: { enabled: () => true, param: () => undefined, locals: parts },
  })
}

/** A response for the validator alone, which sends nothing. */
export function toResponse(statusCode: number): Response {
  const response: Response = Object.create(null)
  return Object.assign(response, {
    statusCode,
    headersSent: false,
    getHeaders: () => ({}),
    json: () => response,
  })
}

/** Runs middlewares one after the other; rejects with what one of them passes to `next`. */
export async function run(
  steps: readonly RequestHandler[],
  request: Request,
  response: Response,
  onLateError: NextFunction = () => undefined,
): Promise<void> {
  for (const step of steps) {
    await new Promise<void>((resolve, reject) => {
      const next: NextFunction = (error?: unknown) => {
        if (error === undefined) return resolve()
        reject(error)
        // The check of an answer reports through the `next` of the step that installed it.
        onLateError(error instanceof Error ? error : String(error))
      }
      Promise.resolve(step(request, response, next)).catch(reject)
    })
  }
}
