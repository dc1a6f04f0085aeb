import { type DestinationStream, type Logger, pino } from 'pino'
import { withoutApiKeys } from '../auth/api-key.ts'
import type { LogLevel } from '../config.ts'
import { createLogDestination } from './log-destination.ts'
import { boundLine } from './log-line.ts'

/**
 * Makes the log: one JSON object a line, on standard output unless another place is given. Whatever a
 * line is about, nothing in it can be an API key.
 */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = createLogDestination(),
): Logger {
  const options = {
    level,
    base: null,
    timestamp: createTimestamps(),
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: (line: string) => boundLine(withoutApiKeys(line)) },
  }
  return pino(options, destination)
}

/**
 * Makes what says when a line was written, an RFC 3339 date-time, as pino's own `isoTime` does.
 * To spell the time takes a third of the line: lines of one millisecond share it.
 */
function createTimestamps(): () => string {
  let [at, text] = [Number.NaN, '']
  return function timestamp() {
    const now = Date.now()
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return text
  }
}

/** Makes the log for whoever reads standard output: lines for people where it is a terminal. */
export async function createLogFor(level: LogLevel, isTerminal: boolean): Promise<Logger> {
  if (!isTerminal) return createLog(level)
  // A start whose log is collected does not wait until this is loaded.
  const { createTerminalLines } = await import('./terminal-lines.ts')
  return createLog(level, createTerminalLines())
}
