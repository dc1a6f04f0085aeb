import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'
import { boundLine } from './log-line.ts'

/** Makes the log: one JSON object a line, on standard output unless another place is given. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: boundLine },
  }
  return pino(options, destination)
}
