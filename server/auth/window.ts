/** What is left of a limit in a stretch of time. */
export interface Window {
  readonly limit: number
  readonly remaining: number
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt: number
}

/** The window that binds: the one with the least remaining share. */
export function bindingWindow(first: Window, ...others: readonly Window[]): Window {
  return others.reduce(
    (least, window) => (shareOf(window) < shareOf(least) ? window : least),
    first,
  )
}

function shareOf({ remaining, limit }: Window): number {
  return limit === 0 ? 0 : remaining / limit
}

/** Whole seconds from now to a time, at least one. */
export function secondsUntil(time: number): number {
  return Math.max(1, Math.ceil((time - Date.now()) / 1000))
}
