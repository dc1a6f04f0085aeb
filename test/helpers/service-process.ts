import { apiKeyMarker } from '../../server/process/names.ts'
import { createSqliteDatabase } from './databases/sqlite-database.ts'
import { startProgram } from './program.ts'

/**
 * Starts the service of the fixture project, or of another one, as a process, on a database of its own if
 * none is named.
 */
export async function startServiceProcess(
  environment: Readonly<Record<string, string>> = {},
  project?: string,
) {
  const { DATABASE_URL = (await createSqliteDatabase()).url } = environment
  const env = { PORT: '0', LOG_LEVEL: 'silent', ...environment, DATABASE_URL }
  const program = startProgram('server/main.ts', [], {
    env,
    ...(project !== undefined && { project }),
  })
  const [, origin = ''] = await program.waitForOutput(/ listens at (http:\/\/[^/\s]+)/)
  /** Returns the key that is printed for a fresh store. */
  async function firstKey(): Promise<string> {
    const [key] = await program.waitForOutput(new RegExp(`${apiKeyMarker}\\w{36}`))
    return key
  }
  /** Sends a request to a path with the first key. */
  async function send(path: string): Promise<Response> {
    return fetch(origin + path, { headers: { Authorization: `Bearer ${await firstKey()}` } })
  }
  return { program, origin, firstKey, send }
}
