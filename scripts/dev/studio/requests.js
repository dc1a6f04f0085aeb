import { counted } from './counted.js'
import { byId, element, message } from './element.js'
import { methodBadge } from './operations.js'
import { showPanel } from './panel.js'

/** @import { LoggedRequest, LoopState } from '../loop-state.ts' */

/**
 * Shows what the service was asked, newest first; answers that break the contract stand out.
 *
 * @param {LoopState} state
 */
export function showRequests({ requests }) {
  const choice = byId('only-violations')
  const isNarrowed = choice instanceof HTMLInputElement && choice.checked
  const violating = requests.filter(({ violations }) => violations.length > 0)
  const wanted = isNarrowed ? violating : requests
  const words = violating.length > 0 ? `, ${counted(violating.length, 'violation')}` : ''
  showPanel('requests', wanted.toReversed(), requestEntry, {
    count: `${requests.length}${words}`,
    empty:
      requests.length === 0 ? 'Nobody has asked anything yet.' : 'Every answer keeps the contract.',
  })
}

/** @param {LoggedRequest} request */
function requestEntry({ at, id, method, path, status, milliseconds, violations }) {
  const line = element(
    'p',
    'request',
    timeOf(at),
    methodBadge(method),
    element('code', 'path', path),
    element('span', `badge ${toneOf(status)}`, String(status)),
    element('span', 'muted', `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`),
  )
  line.title = `Request ${id}`
  if (violations.length === 0) return element('li', '', line)
  return element(
    'li',
    'violating',
    line,
    element('p', 'breach', 'Breaks the contract:'),
    element('ul', '', ...violations.map((violation) => element('li', '', ...message(violation)))),
  )
}

/** @param {string} at */
function timeOf(at) {
  const moment = new Date(at)
  const shown = Number.isNaN(moment.getTime()) ? at : moment.toLocaleTimeString('en-GB')
  const time = element('time', 'muted', shown)
  time.setAttribute('datetime', at)
  return time
}

/** @param {number} status */
function toneOf(status) {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return status >= 200 && status < 300 ? 'good' : 'info'
}
