import { byId } from './element.js'

const titles = ['lint', 'code', 'diff', 'operations', 'requests', 'reference']
const remembered = 'studio-shortcuts'

/** Digits go to a panel, arrows through the list that has the focus. They can be switched off. */
export function watchShortcuts() {
  const choice = byId('shortcuts')
  if (!(choice instanceof HTMLInputElement)) return
  choice.checked = localStorage.getItem(remembered) !== 'off'
  choice.addEventListener('change', () => {
    localStorage.setItem(remembered, choice.checked ? 'on' : 'off')
  })
  document.addEventListener('keydown', (event) => {
    if (!choice.checked || event.ctrlKey || event.metaKey || event.altKey) return
    const title = titles[Number(event.key) - 1]
    const focused = document.activeElement
    if (title !== undefined) goTo(title)
    else if (event.key === 'ArrowDown') step(focused, 'nextElementSibling')
    else if (event.key === 'ArrowUp') step(focused, 'previousElementSibling')
    else return
    if (focused !== document.activeElement) event.preventDefault()
  })
}

/** @param {string} id */
function goTo(id) {
  const title = byId(`${id}-title`)
  const first = title.parentElement?.querySelector('.entries :is(button, a)')
  const target = first instanceof HTMLElement ? first : title
  target.focus()
  title.scrollIntoView({ block: 'start' })
}

/**
 * @param {Element | null} focused
 * @param {'nextElementSibling' | 'previousElementSibling'} direction
 */
function step(focused, direction) {
  const next = focused?.closest('.entries > li')?.[direction]?.querySelector('button, a')
  if (next instanceof HTMLElement) next.focus()
}
