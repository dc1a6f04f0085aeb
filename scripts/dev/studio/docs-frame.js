import { byId } from './element.js'

/** @import { LoopState } from '../loop-state.ts' */

let shownRun = 0

/**
 * Shows the reference of the service, and loads it anew after a run that went well.
 *
 * @param {LoopState} state
 */
export function showDocs({ run, isHealthy, service }) {
  const frame = byId('reference')
  const link = byId('reference-link')
  if (service === undefined || !(frame instanceof HTMLIFrameElement)) return
  const address = addressOf(service)
  if (frame.getAttribute('src') !== address) {
    frame.src = address
    link.setAttribute('href', address)
  } else if (isHealthy && run !== shownRun) reload(frame)
  if (isHealthy) shownRun = run
  byId('reference-empty').hidden = true
  frame.hidden = false
  link.hidden = false
}

/**
 * The page may be open under another name of the same host, which the reference would not let
 * frame it.
 *
 * @param {string} service
 */
function addressOf(service) {
  const origin = new URL(service)
  return origin.port === location.port ? '/docs' : `${origin.origin}/docs`
}

/** @param {HTMLIFrameElement} frame */
function reload(frame) {
  try {
    // Keeps the place that is being read.
    frame.contentWindow?.location.reload()
  } catch {
    // Of another origin: it may only be sent somewhere.
    frame.setAttribute('src', frame.src)
  }
}
