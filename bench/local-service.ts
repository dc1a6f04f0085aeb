import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A service in a process of its own, with an empty store in its memory. */
export interface LocalService {
  readonly baseUrl: string
  readonly apiKey: string
  readonly stop: () => Promise<void>
}

/** Starts a service that counts no limits, so that nothing but the call is measured. */
export async function startLocalService(): Promise<LocalService> {
  const env = {
    ...process.env,
    ...{ PORT: '0', DATABASE_URL: 'sqlite::memory:', RATE_LIMITS: 'off', LOG_LEVEL: 'silent' },
  }
  const main = new URL('../server/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let text = ''
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`
    const [baseUrl] = /http:\S+\/v\d+\b/.exec(text) ?? []
    const [apiKey] = /\bask_\w{36}\b/.exec(text) ?? []
    if (baseUrl === undefined || apiKey === undefined) continue
    const stop = async (): Promise<void> => {
      child.kill()
      await ended
    }
    return { baseUrl, apiKey, stop }
  }
  throw new Error(`the service ended before it said where it listens:\n${text}`)
}
