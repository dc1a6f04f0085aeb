import { copy } from './clipboard.js'
import { element, message } from './element.js'
import { showPanel } from './panel.js'

/** @import { CodeFault, LintFinding, LoopState } from '../loop-state.ts' */

/**
 * Shows what is wrong in the description, errors first, and the code that the contract asks to change.
 *
 * @param {LoopState} state
 */
export function showFindings({ lint, responses = [], code }) {
  const all = [...lint, ...responses]
  const errors = all.filter(({ severity }) => severity === 'error')
  const warnings = all.filter(({ severity }) => severity !== 'error')
  showPanel('lint', [...errors, ...warnings], lintEntry)
  showPanel('code', code, codeEntry)
}

/** @param {LintFinding} finding */
function lintEntry(finding) {
  const { severity, rule } = finding
  const badge = element('span', `badge ${severity === 'error' ? 'bad' : 'warn'}`, severity)
  return entry(
    finding,
    badge,
    ' ',
    ...message(finding.message),
    ' ',
    element('span', 'muted', rule),
  )
}

/** @param {CodeFault} fault */
function codeEntry(fault) {
  return entry(fault, ...message(fault.message))
}

/**
 * @param {CodeFault} fault
 * @param {...(string | Node)} words
 */
function entry({ file, line, column }, ...words) {
  const place = `${file}:${line}`
  const button = element('button', 'finding')
  button.setAttribute('type', 'button')
  button.title = `Copy ${place}`
  button.append(
    element('span', 'place', `${place}:${column}`),
    element('span', 'copied'),
    element('span', 'words', ...words),
  )
  button.addEventListener('click', () => void copy(place, button))
  return element('li', '', button)
}
