import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

/**
 * Open files of the process beside connections of callers and to PostgreSQL: 28 after a start on
 * SQLite, and more for Redis, traces and the port of the metrics.
 */
const ownFiles = 64

/** Lowers `MAX_CONNECTIONS` to what the limit of open files allows, and logs a warning if it does. */
export function fitOpenFileLimit(config: Config, log: Pick<Logger, 'warn'>): Config {
  const { most } = config.connections
  const own = ownFiles + config.databasePoolSize
  const limit = readOpenFileLimit()
  if (limit >= most + own) return config
  const fitting = Math.max(1, limit - own)
  log.warn(
    `The limit of open files is ${limit} and MAX_CONNECTIONS=${most} needs ${most + own}: connections are limited to ${fitting}. Raise the limit (ulimit -n) or lower MAX_CONNECTIONS.`,
  )
  return { ...config, connections: { ...config.connections, most: fitting } }
}

// Node.js has raised the soft limit to the hard one. Other systems than Linux do not have this file.
function readOpenFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
