/** Milliseconds between two looks. */
const interval = 100

/** Milliseconds after which a look comes too late: the process paused, and nobody could have a turn. */
const pause = 250

/**
 * Makes what looks again and again, once it is begun, for as long as a look says that it should. After
 * a pause of the process it leaves one look out, so that those who wait may have their turn.
 */
export function createLookout(
  look: () => boolean,
  now: () => number,
): { readonly begin: () => void } {
  let isBegun = false
  let isLeftOut = false

  function begin(): void {
    if (isBegun) return
    isBegun = true
    const from = now()
    setTimeout(() => {
      isBegun = false
      isLeftOut = !isLeftOut && now() - from >= pause
      if (isLeftOut || look()) begin()
    }, interval).unref()
  }

  return { begin }
}
