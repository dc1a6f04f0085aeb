/** How long to wait before the loop is looked for again, in milliseconds. */
const pause = 1_000

/**
 * Follows the loop: tells each state that it sends, as JSON, and when it is gone; looks for it until
 * it is there again.
 *
 * @param {(state: string) => void} onState
 * @param {() => void} onGone
 */
export function follow(onState, onGone) {
  const source = new EventSource('/studio/events')
  source.addEventListener('state', ({ data }) => onState(data))
  source.addEventListener('error', () => {
    // Not left to the browser, which gives up when it is refused.
    source.close()
    onGone()
    setTimeout(() => follow(onState, onGone), pause)
  })
}
