import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'
import { shorten } from '../contract/errors.ts'
import { withoutApiKeys } from '../security/api-key.ts'

/** Characters of a line of the log at most. Some lines have what clients send, such as paths. */
const maxLineLength = 8_192

/** Characters of each text in a line that is shortened. */
const maxTextLength = 300

/** Items of each list in a line that is shortened. */
const maxItems = 20

/** Bytes of the log that wait in memory until they can be written; later lines are dropped. */
const maxWaiting = 1_000_000

/** Milliseconds until a line is written, unless there are many. */
const flushInterval = 100

/**
 * Creates the log: one JSON object a line, on standard output unless another destination is given.
 * API keys are redacted in every line.
 */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = standardOutput(),
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: (line: string) => boundLine(withoutApiKeys(line)) },
  }
  return pino(options, destination)
}

/** Fields that a line for people shows after the message, in this order. */
const fieldsAfterMessage = ['code', 'operationId', 'keyId', 'requestId', 'traceId']

/** Creates the log of a program: lines for people if standard output is a terminal. */
export async function createLogFor(level: LogLevel, isTerminal: boolean): Promise<Logger> {
  if (!isTerminal) {
    return createLog(level)
  }
  // Loading pino-pretty would slow down every start that does not need it.
  const { default: pretty } = await import('pino-pretty')
  const request =
    '{if method} {method}{end}{if path} {path}{end}{if status} {status}{end}{if milliseconds} in {milliseconds} ms{end}'
  const otherFields = fieldsAfterMessage.map((name) => `{if ${name}} {${name}}{end}`).join('')
  const fieldsOfRequest = ['method', 'path', 'route', 'status', 'milliseconds']
  return createLog(
    level,
    pretty({
      translateTime: 'SYS:HH:MM:ss.l',
      messageFormat: `{msg}${request}${otherFields}`,
      sync: true,
      ignore: [...fieldsOfRequest, ...fieldsAfterMessage].join(),
    }),
  )
}

// A full disk or a reader that is paused or gone must neither end the service nor block it.
function standardOutput(): DestinationStream {
  const stream = pino.destination({
    fd: 1,
    sync: true,
    maxLength: maxWaiting,
    minLength: 4_096,
    periodicFlush: flushInterval,
    // Writes are retried at every flush, not at once, which would block the process.
    retryEAGAIN: () => false,
  })
  stream.on('error', () => undefined)
  process.once('exit', () => stream.flush())
  // The destination has no `flushSync`: pino would call that of the stream for `fatal`, and it may retry forever.
  return { write: (line) => stream.write(line) }
}

/** Shortens the texts and lists of a line of the log that is too long; the result is JSON. */
function boundLine(line: string): string {
  if (line.length <= maxLineLength) {
    return line
  }
  const shortened = JSON.stringify(JSON.parse(line), (_, value) => {
    if (typeof value === 'string') {
      return shorten(value, maxTextLength)
    }
    return Array.isArray(value) ? value.slice(0, maxItems) : value
  })
  return `${shortened}\n`
}
