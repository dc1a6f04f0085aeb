import { announce } from './announcement.js'
import { showDiff } from './contract-diff.js'
import { distrustDocs, showDocs } from './docs-frame.js'
import { byId, element } from './element.js'
import { follow } from './feed.js'
import { showFindings } from './findings.js'
import { showOperations } from './operations.js'
import { showRequests } from './requests.js'
import { watchShortcuts } from './shortcuts.js'
import { showSummary } from './summary.js'

/** @import { LoopState } from '../loop-state.ts' */

/** @type {string | undefined} */
let latest
let isDue = false
let isGone = false

follow((state) => {
  latest = state
  isGone = false
  document.body.classList.remove('gone')
  refresh()
}, showGone)
watchShortcuts()
byId('only-violations').addEventListener('change', refresh)

// A busy service is heard of more often than a screen can show: only the latest state is read.
function refresh() {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    if (latest !== undefined) show(JSON.parse(latest))
  })
}

/** @param {LoopState} state */
function show(state) {
  showFindings(state)
  showDiff(state)
  showOperations(state)
  showRequests(state)
  showDocs(state)
  if (!isGone) showSummary(state)
}

function showGone() {
  if (isGone) return
  isGone = true
  distrustDocs()
  const words = 'The loop is gone. Start it again with: npm run dev. This page finds it by itself.'
  document.body.classList.add('gone')
  byId('state').replaceChildren(element('span', 'badge warn', 'Loop gone'))
  const banner = byId('verdict')
  banner.hidden = false
  banner.textContent = words
  announce(words)
}
