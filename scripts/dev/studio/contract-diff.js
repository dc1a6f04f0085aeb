import { byId, element, message, part } from './element.js'
import { showPanel } from './panel.js'
import { isAtLeast } from './version.js'

/** @import { Change } from '../../diff/contract-diff.ts' */
/** @import { LoopState } from '../loop-state.ts' */

/**
 * Shows what changed in the contract since the release: breaking changes first, each with what it
 * means for consumers.
 *
 * @param {LoopState} state
 */
export function showDiff({ diff }) {
  const changes = diff?.changes ?? []
  const breaking = changes.filter((change) => change.breaking)
  const others = changes.filter((change) => !change.breaking)
  const count = breaking.length > 0 ? `${changes.length}, ${breaking.length} breaking` : undefined
  const empty = diff
    ? `Nothing changed since ${diff.base.ref}.`
    : 'There is no release to compare with.'
  showPanel('diff', [...breaking, ...others], changeEntry, { empty, ...(count && { count }) })
  showVersions(diff)
}

/** @param {LoopState['diff']} diff */
function showVersions(diff) {
  const versions = part(byId('diff'), '.versions')
  versions.hidden = diff === undefined || diff.step === 'none'
  if (diff === undefined) return
  const { base, current, needed, step } = diff
  const isRight = isAtLeast(current.version, needed)
  const advice = isRight
    ? `The spec carries ${current.version}, as it should.`
    : `Set info.version to ${needed}; it is ${current.version}.`
  const badge = element('span', `badge ${toneOf(step)}`, step)
  versions.replaceChildren(badge, ` since ${base.version} (${base.ref}). ${advice}`)
}

/** @param {string} step */
function toneOf(step) {
  return step === 'major' ? 'bad' : step === 'minor' ? 'info' : 'quiet'
}

/** @param {Change} change */
function changeEntry({ breaking, step, what, consequence, place }) {
  const badge = breaking
    ? element('span', 'badge bad', 'breaking')
    : element('span', `badge ${toneOf(step)}`, step)
  return element(
    'li',
    'change',
    element('p', '', badge, ' ', element('code', '', place)),
    element('p', '', ...message(what)),
    element('p', 'muted', ...message(consequence)),
  )
}
