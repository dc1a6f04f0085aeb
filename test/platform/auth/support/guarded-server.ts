import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { ApiError } from '../../../../server/contract/errors.ts'
import { createLog } from '../../../../server/ops/log.ts'
import type { Authenticator, CredentialSource } from '../../../../server/security/authenticator.ts'
import { listen } from '../../../helpers/free-port.ts'

/** Starts a server that responds with the caller that an authenticator finds. */
export async function startGuardedServer(createAuthenticator: (log: Logger) => Authenticator) {
  const logged: string[] = []
  const log = createLog('debug', { write: (line) => void logged.push(line) })
  const authenticator = createAuthenticator(log)

  const server = createServer(async (request, response) => {
    const source: CredentialSource = {
      headers: request.headersDistinct,
      queryValues: () => [],
      cookieValues: () => [],
      checkGuess: (check) => check(),
    }
    try {
      const result = await authenticator.authenticate(source)
      const isCaller = typeof result !== 'string'
      response.statusCode = isCaller ? 200 : 401
      // A set has no JSON.
      const scopes = isCaller && result.scopes ? [...result.scopes] : undefined
      response.end(JSON.stringify(isCaller ? { ...result, scopes } : result))
    } catch (error) {
      const isApiError = error instanceof ApiError
      response.writeHead(isApiError ? error.status : 500, isApiError ? error.headers : {})
      response.end(JSON.stringify(String(error)))
    }
  })
  const origin = `http://127.0.0.1:${await listen(server)}`

  /** Sends a request, which must not wait for more than three seconds. */
  async function ask(...fields: readonly string[]) {
    const headers = fields.map((value): [string, string] => ['Authorization', value])
    const response = await fetch(origin, { headers, signal: AbortSignal.timeout(3_000) })
    const body: unknown = await response.json()
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
  }

  return { ask, askWith: (token: string) => ask(`Bearer ${token}`), logged, authenticator }
}
