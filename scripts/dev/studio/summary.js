import { announce } from './announcement.js'
import { counted } from './counted.js'
import { byId, element } from './element.js'
import { isAtLeast } from './version.js'

/** @import { LoopState } from '../loop-state.ts' */

let announcedRun = 0

/**
 * Shows how the last run went, in a word and in a sentence.
 *
 * @param {LoopState} state
 */
export function showSummary(state) {
  const { run, saved, milliseconds, isHealthy } = state
  byId('state').replaceChildren(...badges(state))
  document.title = `${isHealthy ? '' : '✗ '}Studio`
  const { total = 0, ...times } = milliseconds
  const steps = Object.entries(times).map(([step, time]) => `${step} ${Math.round(time)}`)
  const place = byId('run')
  place.textContent = [`run ${run}`, ...named(saved), `${Math.round(total)} ms`].join(' · ')
  place.title = `${steps.join(', ')} (milliseconds)`
  const words = verdict(state)
  const banner = byId('verdict')
  banner.hidden = isHealthy || words === undefined
  banner.textContent = words ?? ''
  if (words === undefined || run === announcedRun) return
  announce(words)
  announcedRun = run
}

/** @param {readonly string[]} files */
function named(files) {
  const more = files.length - 3
  return more > 0 ? [...files.slice(0, 3), `${more} more`] : files
}

/** @param {LoopState} state */
function badges(state) {
  const { isHealthy, diff, requests } = state
  const [tone, word] = (isHealthy && ['good', 'Healthy']) ||
    (isHeldBack(state) && ['bad', 'Broken']) || ['warn', 'Code to change']
  const shown = [element('span', `badge ${tone}`, word)]
  if (diff && !isAtLeast(diff.current.version, diff.needed)) {
    shown.push(badgeLink('#diff', 'warn', `version ${diff.needed} needed`))
  }
  const breaches = requests.filter(({ violations }) => violations.length > 0).length
  if (breaches > 0)
    shown.push(badgeLink('#requests', 'bad', counted(breaches, 'contract violation')))
  return shown
}

/**
 * @param {string} to
 * @param {string} tone
 * @param {string} text
 */
function badgeLink(to, tone, text) {
  const link = element('a', `badge ${tone}`, text)
  link.setAttribute('href', to)
  return link
}

/**
 * Returns how a run went, in a sentence; undefined while its types are still being checked.
 *
 * @param {LoopState} state
 */
function verdict(state) {
  const { isHealthy, lint, responses = [], code, service, diff, trouble } = state
  const step =
    diff && diff.step !== 'none' ? ` The contract needs ${diff.needed} (${diff.step}).` : ''
  if (isHealthy) return `All is well.${step}`
  const all = [...lint, ...responses]
  const errors = all.filter(({ severity }) => severity === 'error').length
  const faults = [
    ...(errors > 0 ? [`${counted(errors, 'error')} in the spec`] : []),
    ...(code.length > 0 ? [`${counted(code.length, 'place')} in the code to change`] : []),
  ]
  if (faults.length === 0 && trouble === undefined) return undefined
  const found =
    faults.length > 0 ? faults.join(' and ') : `What was saved is not served: ${trouble}`
  if (isHeldBack(state)) return `${found}. ${describeLast(service)}`
  const failing = code.length > 0 ? '; calls fail where they need that code' : ''
  return `${found}. It is served already${failing}.`
}

/** @param {string | undefined} service */
function describeLast(service) {
  return service === undefined
    ? 'No service answers yet.'
    : `The last good service keeps answering at ${service}.`
}

/**
 * Whether what was saved is not served: code that is to be changed does not hold it back.
 *
 * @param {LoopState} state
 */
function isHeldBack({ lint, trouble }) {
  return lint.length > 0 || trouble !== undefined
}
