import { splitTarget } from '../../contract/request/target.ts'

/** Requests of probes that are begun in one turn of the event loop, whatever else there is to do. */
export const mostSpared = 20

/**
 * Makes what says whether the target of a request is one of these paths and need not wait: a few in
 * each turn of the event loop need not. Those beyond are requests like others, because anybody may
 * ask what probes ask, and without a limit.
 */
export function createSparing(paths: readonly string[]): (url: string) => boolean {
  let left = mostSpared

  function take(): boolean {
    if (left === mostSpared) {
      setImmediate(() => {
        left = mostSpared
      })
    }
    if (left === 0) return false
    left--
    return true
  }

  return (url) =>
    paths.some((path) => url.startsWith(path) && splitTarget(url).path === path) && take()
}
