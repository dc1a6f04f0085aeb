import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A service in a process of its own. */
export interface LocalService {
  readonly baseUrl: string
  /** The key of the newcomer; empty in production, which gives none. */
  readonly apiKey: string
  readonly processId: number
  readonly stop: () => Promise<void>
}

/**
 * Starts a service with an empty store in its memory that counts no limits, so that nothing but the
 * call is measured, unless the environment says otherwise.
 */
export async function startLocalService(
  environment: Readonly<Record<string, string>> = {},
): Promise<LocalService> {
  const env = {
    ...process.env,
    ...{ PORT: '0', OPS_PORT: 'off', DATABASE_URL: 'sqlite::memory:' },
    ...{ RATE_LIMITS: 'off', LOG_LEVEL: 'silent' },
    ...environment,
  }
  const main = new URL('../server/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  process.once('exit', () => child.kill())
  let text = ''
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`
    const [baseUrl] = /http:\S+\/v\d+\b/.exec(text) ?? []
    const [apiKey = ''] = /\bask_\w{36}\b/.exec(text) ?? []
    const isProduction = environment['NODE_ENV'] === 'production'
    if (baseUrl === undefined || (apiKey === '' && !isProduction)) continue
    const stop = async (): Promise<void> => {
      child.kill()
      await ended
    }
    return { baseUrl, apiKey, processId: child.pid ?? 0, stop }
  }
  throw new Error(`the service ended before it said where it listens:\n${text}`)
}
