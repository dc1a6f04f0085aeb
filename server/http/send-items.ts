import type { ItemValidation } from '../contract/response-validation.ts'
import { comment, type ItemFormat } from './item-format.ts'
import { KeepAlive } from './keep-alive.ts'
import type { OpenStreams, StreamEnd } from './open-streams.ts'
import type { OutgoingStream } from './outgoing-stream.ts'
import type { StreamedResponse } from './send-parts.ts'

/** What a stream of items does beside sending them. */
export interface ItemOptions extends Pick<ItemValidation, 'findViolations'> {
  readonly format: ItemFormat
  /** Seconds after which an idle stream of events gets a comment. */
  readonly keepAliveSeconds: number
  /** Whether an item that violates the description ends the stream; else it is sent. */
  readonly isStrict: boolean
  /** Reports the first item that violates the description. */
  readonly onViolations: (violations: readonly string[]) => void
  /** Reports an error of the handler. */
  readonly onFailure: (error: unknown) => void
  /** Returns the event that tells clients of an error. */
  readonly printError: (error: unknown) => string
}

/** An item that violates the description. */
export class InvalidItem extends Error {
  override readonly name = 'InvalidItem'
}

/** Sends a stream of items, each of which is validated before it is sent. */
export async function sendItems(
  { stream, writeHead }: StreamedResponse,
  streams: OpenStreams,
  options: ItemOptions,
): Promise<void> {
  streams.assertFree(stream)
  // nginx would collect events before it hands them on.
  writeHead({ 'X-Accel-Buffering': 'no' })
  stream.response.flushHeaders()
  streams.add(stream, endOf(stream, options.format))
  try {
    await writeItems(stream, options)
    stream.end()
  } catch (error) {
    if (!stream.isOver) {
      fail(stream, error, options)
    }
  }
}

/** Clients see by a broken connection that items are missing; those of events reconnect, so theirs end at once. */
function endOf(stream: OutgoingStream, { isEvents }: ItemFormat): StreamEnd {
  return { stop: () => stream.cutOff(), isAtOnce: isEvents }
}

async function writeItems(stream: OutgoingStream, options: ItemOptions): Promise<void> {
  const { format, keepAliveSeconds } = options
  const keepAlive = format.isEvents ? new KeepAlive(stream, comment, keepAliveSeconds) : undefined
  if (keepAlive === undefined) {
    stream.waitForParts()
  }
  const check = createCheck(options)

  while (!stream.isOver) {
    const part = await stream.next()
    if (part.done === true || stream.isOver) {
      return
    }
    check(part.value)
    const drained = stream.write(format.print(part.value))
    keepAlive?.refresh()
    // Most items need no wait.
    if (drained !== undefined) {
      await drained
    }
  }
}

/** Returns the function that validates an item; it throws if the item must not be sent. */
function createCheck({ format, findViolations, isStrict, onViolations }: ItemOptions) {
  let isReported = false
  return function check(item: unknown): void {
    const ofSchema = findViolations(item)
    const violations = ofSchema.length > 0 ? ofSchema : format.findViolations(item)
    if (violations.length === 0) {
      return
    }
    if (!isReported) {
      isReported = true
      onViolations(violations)
    }
    if (isStrict) {
      throw new InvalidItem(violations.join('; '))
    }
  }
}

function fail(stream: OutgoingStream, error: unknown, options: ItemOptions): void {
  const { format, onFailure, printError } = options
  if (!(error instanceof InvalidItem)) {
    onFailure(error)
  }
  if (format.isEvents) {
    stream.write(printError(error))
    stream.end()
  } else {
    stream.cutOff()
  }
}
