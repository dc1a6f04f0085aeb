import { byId } from './element.js'

/** @import { LoopState } from '../loop-state.ts' */

// The loop serves this page where it serves the service.
const address = '/docs'
let shownRun = 0

/**
 * Shows the reference of the service, and loads it anew after a run that went well.
 *
 * @param {LoopState} state
 */
export function showDocs({ run, isHealthy, service }) {
  const frame = byId('reference')
  if (service === undefined || !(frame instanceof HTMLIFrameElement)) return
  const isShown = frame.getAttribute('src') === address
  if (!isShown) frame.src = address
  else if (isHealthy && run !== shownRun) reload(frame)
  if (isHealthy || !isShown) shownRun = run
  byId('reference-empty').hidden = true
  byId('reference-link').hidden = false
  frame.hidden = false
}

/** Has the reference loaded anew with the next state: another loop counts its runs from 1 too. */
export function distrustDocs() {
  shownRun = 0
}

/** @param {HTMLIFrameElement} frame */
function reload(frame) {
  try {
    // Rather than sent there again, so that it keeps the place that is being read.
    frame.contentWindow?.location.reload()
  } catch {
    // No service answered there before: what is shown is the browser's own page.
    frame.src = address
  }
}
