import type { StudioState } from '../studio-state.ts'
import type { Verdict } from '../verdict.ts'
import { cardKey, cardView, countPoints } from './card-view.ts'
import { byId, setText } from './element.ts'
import { showCount, showItems } from './item-list.ts'
import { keepPosition } from './scroll-position.ts'
import { operationView, requestView } from './service-view.ts'
import { stepView } from './step-view.ts'

/** Milliseconds between two attempts to connect. */
const pause = 1_500

const lists = [
  ...(['errors', 'breaking', 'code', 'compatible', 'warnings'] as const),
  ...(['rewordings', 'platform', 'accepted'] as const),
]

const signs = { good: '✓', warn: '!', bad: '✗' } as const

let apiTitle = ''

connect()

/** Shows each state that `npm run dev` sends, and connects again when it was restarted. */
function connect(): void {
  const source = new EventSource('/events')
  source.addEventListener('message', ({ data }) => {
    const state: StudioState = JSON.parse(data)
    keepPosition(() => show(state))
  })
  source.addEventListener('error', () => {
    // A browser stops to connect after some kinds of errors.
    source.close()
    setTimeout(connect, pause)
    document.body.classList.add('outdated')
    showVerdict({
      tone: 'bad',
      title: 'npm run dev has stopped',
      text: 'Start it again; this page connects by itself. What is below is of the last save.',
    })
    setText('run', '')
  })
}

function show(state: StudioState): void {
  const { run, findings, steps, editorUrl, operations, requests, verdict } = state
  apiTitle = state.title
  document.body.classList.remove('outdated')
  document.body.classList.toggle('processing', state.processing.length > 0)
  setText('title', apiTitle)
  showVerdict(verdict)
  setText('run', describeRun(state))
  showLinks(state)

  const stepItems = { keyOf: ({ list, text }: (typeof steps)[number]) => list ?? text }
  showItems('steps', steps, { ...stepItems, toElement: (step) => stepView(step, editorUrl) })
  byId('unknown').hidden = run === 0 || findings.breaking !== undefined

  for (const list of lists) {
    const cards = findings[list] ?? []
    showItems(list, cards, { keyOf: cardKey, toElement: (card) => cardView(card, editorUrl) })
    // The verdict counts lines of code, and all else that was found.
    showCount(list, list === 'code' ? cards.length : countPoints(cards))
  }

  const operationItems = { keyOf: ({ operationId }: (typeof operations)[number]) => operationId }
  showItems('operations', operations, { ...operationItems, toElement: operationView })
  showCount('operations', operations.length)
  showRequests(requests)
}

function showVerdict({ tone, title, text }: Omit<Verdict, 'label'>): void {
  const end = apiTitle === '' ? 'Studio' : apiTitle
  document.title = `${signs[tone]} ${title} – ${end}`
  byId('icon').setAttribute('href', `/icon-${tone}.svg`)
  byId('verdict').className = tone
  setText('verdict-title', title)
  setText('verdict-text', text)
}

/** Returns which files are processed, or which ones the last run has processed and how long it took. */
function describeRun({ run, saved, processing, milliseconds, released }: StudioState): string {
  if (processing.length > 0) {
    return `Processing ${processing.join(', ')}`
  }
  if (run === 0) {
    return ''
  }
  const seconds = ((milliseconds['total'] ?? 0) / 1000).toFixed(2)
  const since = released === undefined ? [] : [`compared with ${released}`]
  const what = saved.length === 0 ? ['started'] : saved.slice(0, 3)
  return [`run ${run}`, ...what, ...since, `${seconds} s`].join(' · ')
}

function showLinks({ service, reference }: StudioState): void {
  byId('links').hidden = service === undefined
  byId('reference').setAttribute('href', reference)
}

function showRequests(requests: StudioState['requests']): void {
  const newestFirst = requests.toReversed()
  showItems('requests', newestFirst, { keyOf: ({ id }) => id, toElement: requestView })
  showCount('requests', requests.length)
  const violating = requests.filter(({ violations }) => violations.length > 0).length
  byId('violations').hidden = violating === 0
  setText('violations', `${violating} with violations`)
}
