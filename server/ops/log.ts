import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'
import { boundLine } from './log-line.ts'

/** Makes the log: one JSON object a line, on standard output unless told otherwise. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: boundLine },
    },
    destination ?? pino.destination({ sync: true }),
  )
}
