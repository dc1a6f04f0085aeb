import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'
import { createLogDestination } from './log-destination.ts'
import { boundLine } from './log-line.ts'

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
    hooks: { streamWrite: boundLine },
  }
  return pino(options, destination)
}

/** Makes the log for whoever reads standard output: lines for people where it is a terminal. */
export async function createLogFor(level: LogLevel, isTerminal: boolean): Promise<Logger> {
  if (!isTerminal) return createLog(level)
  // A start whose log is collected does not wait until this is loaded.
  const { createTerminalLines } = await import('./terminal-lines.ts')
  return createLog(level, createTerminalLines())
}
