import type { Logger } from 'pino'

export interface EpisodeOptions {
  readonly log: Logger
  /** Milliseconds between two lines of an episode that goes on. */
  readonly interval: number
  /** What the lines say. */
  readonly messages: Readonly<Record<'begun' | 'goesOn' | 'over', string>>
  /** What the first line and those that follow show besides. */
  readonly state?: () => object
}

/**
 * Refusals that come in great numbers, in a few lines of the log: a warning at once, another one every
 * so often while they go on, and a last one when an interval has passed without any.
 */
export interface Episode {
  /** Notes a refusal. */
  readonly note: () => void
  /** Tells what is left to be told. */
  readonly stop: () => void
}

/** Makes what tells the log of such episodes, one after the other. */
export function createEpisode(options: EpisodeOptions): Episode {
  const { log, interval, messages, state = () => ({}) } = options
  let timer: NodeJS.Timeout | undefined
  let [refused, told] = [0, 0]

  function tell(): void {
    if (refused > told) log.warn({ refused: refused - told, ...state() }, messages.goesOn)
    else stop()
    told = refused
  }

  function stop(): void {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    log.info({ refused }, messages.over)
    refused = 0
    told = 0
  }

  return {
    note() {
      refused++
      if (timer !== undefined) return
      log.warn(state(), messages.begun)
      timer = setInterval(tell, interval).unref()
    },
    stop,
  }
}
