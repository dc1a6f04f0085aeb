import type { AcceptedChange, Change } from '../../diff/contract-diff.ts'
import type { LoggedRequest, OperationState } from '../design-service.ts'
import type { Finding, Obstacle } from '../state.ts'
import type { StudioState } from '../studio.ts'

/** Milliseconds after which a label about a copy is removed, and between two attempts to connect. */
const pause = 1_500

connect()

/** Shows each state that `npm run dev` sends, and connects again when it was restarted. */
function connect(): void {
  const source = new EventSource('/events')
  source.addEventListener('message', ({ data }) => show(JSON.parse(data)))
  source.addEventListener('error', () => {
    // A browser stops to connect after some kinds of errors.
    source.close()
    setTimeout(connect, pause)
    const text = 'npm run dev has stopped. Start it again; this page connects by itself.'
    showVerdict({ tone: 'warn', title: 'Stopped', text })
  })
}

function show(state: StudioState): void {
  const {
    run,
    saved,
    milliseconds,
    service,
    reference,
    verdict,
    lint,
    warnings,
    code,
    diff,
    gate,
  } = state
  const { isCompared, isCodeChecked } = state
  const isValid = lint.length === 0
  showVerdict(verdict)
  const seconds = ((milliseconds['total'] ?? 0) / 1000).toFixed(2)
  byId('run').textContent = [`run ${run}`, ...saved.slice(0, 3), `${seconds} s`].join(' · ')
  byId('links').hidden = service === undefined
  byId('reference').setAttribute('href', reference)
  byId('try').setAttribute('href', `${reference}/try`)
  const findings = isValid ? warnings : lint
  showList('spec', run === 0 ? undefined : findings, findingItem)
  showList('code', isCodeChecked ? code : undefined, findingItem)
  // An invalid description does not say for certain what it changes for clients.
  const all = isCompared ? (diff?.changes ?? []) : undefined
  const isReworded = ({ isRewording }: Change) => isRewording === true
  showList(
    'diff',
    all?.filter((change) => !isReworded(change)),
    changeItem,
  )
  showList('reworded', all?.filter(isReworded), changeItem)
  showList('accepted', isCompared ? (diff?.accepted ?? []) : undefined, acceptedItem)
  byId('reworded-fold').hidden = !all?.some(isReworded)
  byId('accepted-fold').hidden = diff === undefined || diff.accepted.length === 0
  showList('gate', isCompared ? gate : undefined, obstacleItem)
  showList('operations', service === undefined ? undefined : state.operations, operationItem)
  showList('requests', state.requests.toReversed(), requestItem)
}

function showVerdict({ tone, title, text }: StudioState['verdict']): void {
  document.title = tone === 'good' ? 'Studio' : '✗ Studio'
  byId('state').textContent = title
  byId('state').className = `badge ${tone}`
  const paragraph = byId('verdict')
  paragraph.className = tone
  // It is a live region: a text that is written again would be announced again.
  if (paragraph.textContent !== text) {
    paragraph.textContent = text
  }
}

/** Shows items in a list; undefined where they are unknown. The button that has the focus keeps it. */
function showList<Item>(
  id: string,
  known: readonly Item[] | undefined,
  toElement: (item: Item) => HTMLElement,
): void {
  const list = byId(id)
  const items = known ?? []
  byId(`${id}-count`).textContent = known === undefined ? 'unknown' : String(known.length)
  const json = JSON.stringify(items)
  if (list.getAttribute('data-items') === json) {
    return
  }
  list.setAttribute('data-items', json)
  const focused = list.querySelector('button:focus')?.textContent
  list.replaceChildren(...items.map(toElement))
  const buttons = [...list.querySelectorAll('button')]
  buttons.find(({ textContent }) => textContent === focused)?.focus()
}

function findingItem({ file, line, column, rule = '', message }: Finding): HTMLElement {
  return item(
    copyButton(`${file}:${line}`, `${file}:${line}:${column}`),
    element('p', '', ...marked(message), ' ', element('span', 'muted', rule)),
  )
}

function changeItem(change: Change): HTMLElement {
  const { id, breaking, bump, what, consequence, place, file, line } = change
  const tone = breaking ? 'bad' : 'info'
  return item(
    element('span', `badge ${tone}`, breaking ? 'breaking' : bump),
    element('code', '', place),
    copyButton(`${file}:${line}`, `${file}:${line}`),
    element('p', '', ...marked(what), ' ', element('span', 'muted', id)),
    element('p', 'muted', ...marked(consequence)),
  )
}

function acceptedItem({ reason, ...change }: AcceptedChange): HTMLElement {
  return changeItem({ ...change, breaking: false, consequence: `Accepted: ${reason}` })
}

function obstacleItem({ message, snippet }: Obstacle): HTMLElement {
  const pasted = snippet === undefined ? [] : [element('pre', '', snippet)]
  return item(element('p', '', ...marked(message)), ...pasted)
}

function operationItem(operation: OperationState): HTMLElement {
  const { method, path, operationId, state, deprecation } = operation
  const { sunset } = deprecation ?? {}
  const removal = sunset === undefined ? '' : `, will be removed on ${sunset}`
  const badge = element('span', 'badge warn', `deprecated${removal}`)
  return item(
    element('span', 'badge', method.toUpperCase()),
    element('code', '', path),
    operationId,
    element('span', `badge ${state === 'sampled' ? 'info' : ''}`, state),
    ...(deprecation === undefined ? [] : [badge]),
  )
}

function requestItem(request: LoggedRequest): HTMLElement {
  const { at, id, method, path, status, milliseconds, violations } = request
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  const entry = item(
    element('span', 'muted', new Date(at).toLocaleTimeString('en-GB')),
    element('span', 'badge', method),
    element('code', '', path),
    element('span', `badge ${tone}`, String(status)),
    element('span', 'muted', `${milliseconds.toFixed(1)} ms`),
    ...violations.map((text) => element('p', 'bad', 'Violates the contract: ', ...marked(text))),
  )
  entry.title = `Request ${id}`
  return entry
}

/** Returns a button that copies a location. */
function copyButton(location: string, label: string): HTMLElement {
  const copied = element('span', 'muted')
  copied.setAttribute('role', 'status')
  const button = element('button', 'copy', label)
  button.title = `Copy ${location}`
  button.addEventListener('click', async () => {
    const written = await navigator.clipboard.writeText(location).then(
      () => `Copied ${location}`,
      () => 'The browser does not allow to copy.',
    )
    copied.textContent = written
    setTimeout(() => copied.replaceChildren(), pause)
  })
  return element('span', '', button, ' ', copied)
}

/** Returns a list item with a space between its parts. */
function item(...parts: readonly (string | Node)[]): HTMLElement {
  return element('li', '', ...parts.flatMap((part) => [part, ' ']))
}

/** Returns the parts of a text; those between backticks are code. */
function marked(text: string): readonly (string | Node)[] {
  const parts = text.split(/`([^`]+)`/)
  return parts.map((part, index) => (index % 2 === 1 ? element('code', '', part) : part))
}

/** Creates an element. Children that are not elements become text, never markup. */
function element(name: string, className: string, ...children: readonly (string | Node)[]) {
  const created = document.createElement(name)
  created.className = className
  created.append(...children)
  return created
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) {
    throw new Error(`The page has no #${id}.`)
  }
  return found
}
