import { type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

/** Makes the log: one JSON object a line, on standard output. */
export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
}
