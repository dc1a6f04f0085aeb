import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'
import type { RequestLine } from './request-log.ts'

type Line = Readonly<Record<string, unknown>>

/** What the message of a request already says. */
const told: readonly (keyof RequestLine)[] = [
  'requestId',
  'method',
  'path',
  'operationId',
  'route',
  'status',
  'code',
  'milliseconds',
  'keyId',
  'traceId',
]

/** Makes what turns the lines of the log into lines for people, on a terminal unless told otherwise. */
export function createTerminalLines(destination?: NodeJS.WritableStream): DestinationStream {
  return pretty({
    colorize: destination === undefined && pretty.isColorSupported,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: told.join(','),
    messageFormat: (line, messageKey) => describe(line, `${line[messageKey]}`),
    sync: true,
    ...(destination === undefined ? {} : { destination }),
  })
}

function describe(line: Line, message: string): string {
  const { method, path, status, milliseconds } = line
  const outcome = typeof milliseconds === 'number' ? ` in ${milliseconds.toFixed(1)} ms` : ''
  const what = method === undefined ? message : `${method} ${path} ${status ?? message}${outcome}`
  const more = ['code', 'operationId', 'keyId', 'requestId', 'traceId'].map((name) => line[name])
  const where = method === undefined ? line['path'] : undefined
  return printable([what, where, ...more].filter((part) => part !== undefined).join('  '))
}

// What callers send must not steer a terminal.
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}
