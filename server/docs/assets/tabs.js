/**
 * Turns links to panels into tabs (the pattern of WAI-ARIA): one is shown, arrow keys go on to
 * the next. Which one is chosen holds for all of the page.
 *
 * @param {Element} group
 */
export function watchTabs(group) {
  const list = group.querySelector('[data-tab-list]')
  const links = [...group.querySelectorAll('a.tab')]
  const panels = [...group.querySelectorAll('[data-tab-panel]')]
  if (!list) return
  const tabs = links.map((link, index) => toTab(link, panels[index]))
  const tabList = document.createElement('div')
  tabList.setAttribute('role', 'tablist')
  tabList.setAttribute('aria-label', 'Sample')
  tabList.append(...tabs)
  list.prepend(tabList)

  /** @param {number} chosen */
  const choose = (chosen) => {
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === chosen))
      tab.tabIndex = index === chosen ? 0 : -1
      panels[index]?.toggleAttribute('hidden', index !== chosen)
    }
  }
  tabList.addEventListener('click', ({ target }) => {
    const index = target instanceof HTMLButtonElement ? tabs.indexOf(target) : -1
    if (index !== -1) document.dispatchEvent(new CustomEvent('sample-chosen', { detail: index }))
  })
  tabList.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || !(event.target instanceof HTMLButtonElement)) return
    const next = (tabs.indexOf(event.target) + step + tabs.length) % tabs.length
    document.dispatchEvent(new CustomEvent('sample-chosen', { detail: next }))
    tabs[next]?.focus()
    event.preventDefault()
  })
  document.addEventListener('sample-chosen', (event) => {
    if (event instanceof CustomEvent) choose(event.detail)
  })
  choose(0)
}

/**
 * @param {Element} link
 * @param {Element | undefined} panel
 */
function toTab(link, panel) {
  const tab = document.createElement('button')
  tab.type = 'button'
  tab.className = link.className
  tab.id = link.id
  tab.textContent = link.textContent
  tab.setAttribute('role', 'tab')
  if (panel) {
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', link.id)
  }
  link.remove()
  return tab
}
