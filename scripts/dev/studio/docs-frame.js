import { byId } from './element.js'

/** @import { LoopState } from '../loop-state.ts' */

// The loop serves this page where it serves the service.
const address = '/docs'
let shownBuild = 0

/**
 * Shows the reference of the service, and reloads it when its page was built again.
 *
 * @param {LoopState} state
 */
export function showDocs({ referenceBuilds, service }) {
  const frame = byId('reference')
  if (service === undefined || !(frame instanceof HTMLIFrameElement)) return
  const isShown = frame.getAttribute('src') === address
  if (!isShown) frame.src = address
  else if (referenceBuilds !== shownBuild) reload(frame)
  shownBuild = referenceBuilds
  byId('reference-empty').hidden = true
  byId('reference-link').hidden = false
  frame.hidden = false
}

/** Reloads the reference with the next state: another loop counts its builds from 0 again. */
export function distrustDocs() {
  shownBuild = -1
}

/** @param {HTMLIFrameElement} frame */
function reload(frame) {
  try {
    // While the first load is under way, the frame still has the address of an empty page.
    if (frame.contentWindow?.location.pathname !== address) frame.src = address
    // Keeps the place that is being read.
    else frame.contentWindow.location.reload()
  } catch {
    // No service answered there before: what is shown is the browser's own page.
    frame.src = address
  }
}
