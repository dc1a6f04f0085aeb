import type { LogLevel } from '../../server/config.ts'
import { createLog } from '../../server/ops/log.ts'

const framing = 'bad_request_framing'

type Line = Readonly<Record<string, unknown>>

/** A log as the service has it, whose lines are kept. */
export function createKeptLog(level: LogLevel) {
  const logged: Line[] = []
  const requestLines: Line[] = []
  const log = createLog(level, {
    write(text) {
      const line: Line = JSON.parse(text)
      // What is no request, and gets an answer all the same, has a line without a duration.
      if ('milliseconds' in line || line['code'] === framing) requestLines.push(line)
      else logged.push(line)
    },
  })
  return { log, logged, requestLines }
}
