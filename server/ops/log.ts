import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'
import { createLogDestination } from './log-destination.ts'

/** Makes the log: one JSON object a line, on standard output unless another place is given. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = createLogDestination(),
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return pino(options, destination)
}
