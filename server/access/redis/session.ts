import { createClient } from '@redis/client'
import type { Session } from '../kept-session.ts'
import type { BanRule } from '../tally.ts'
import { createPatience } from './patience.ts'
import { createScripts } from './scripts.ts'

/** How many answers' time it may take to connect and to count for the first time. */
const answersToOpen = 20
/** Milliseconds between two signs of life on an idle connection, which some services would end. */
const pingInterval = 60_000

export interface RedisOptions {
  /** `redis:` or `rediss:`, with user, password and number of the database where there are any. */
  readonly url: string
  readonly ban: BanRule
  /** What the names of all keys begin with. */
  readonly prefix?: string
  /** Milliseconds that an answer may take. */
  readonly patience?: number
  /** A clock in the place of Redis' own, in milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Connects to Redis or Valkey, counts once to see that it can be done, and gives what counts there;
 * rejects when that takes more than a second. The connection serves until it fails once: another
 * one is then to be opened.
 */
export async function openRedisSession(
  { url, ban, prefix = 'animal-store:', patience = 50, now }: RedisOptions,
  signal: AbortSignal,
): Promise<Session> {
  const opening = answersToOpen * patience
  const client = createClient({
    url,
    scripts: createScripts(ban, now),
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval,
    socket: { connectTimeout: opening, reconnectStrategy: false },
  })
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>()
  client.on('error', end)
  const overdue = () => new Error(`no answer within ${patience} ms`)
  const waiting = createPatience(patience, () => end(overdue()))
  const close = (): void => {
    waiting.end()
    client.destroy()
  }
  async function answerOf<Value>(asked: Promise<Value>): Promise<Value> {
    try {
      return await waiting.wait(asked)
    } catch (error) {
      end(error)
      throw error
    }
  }
  const address = (network: string) => `${prefix}address:${network}`
  await within(opening, signal, close, async () => {
    await client.connect()
    await client.countAddress(address('probe'), 1)
  })
  return {
    countKey: (keyId, quota) => answerOf(client.countKey(`${prefix}key:${keyId}`, quota)),
    countAddress: (network) => answerOf(client.countAddress(address(network), 1)),
    readAddress: (network) => answerOf(client.countAddress(address(network), 0)),
    ended,
    close,
  }
}

async function within(
  milliseconds: number,
  signal: AbortSignal,
  close: () => void,
  open: () => Promise<void>,
): Promise<void> {
  const late = AbortSignal.timeout(milliseconds)
  const either = AbortSignal.any([signal, late])
  either.addEventListener('abort', close)
  try {
    await open()
    either.throwIfAborted()
  } catch (error) {
    // What was still on its way when the client was told to end is there now.
    close()
    throw late.aborted ? new Error(`no answer within ${milliseconds} ms`) : error
  } finally {
    either.removeEventListener('abort', close)
  }
}
