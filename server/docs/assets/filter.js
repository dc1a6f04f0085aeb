/** Lets the contents be narrowed to the operations that hold every word that is typed. */
export function watchFilter() {
  const box = document.querySelector('[data-filter]')
  const input = box?.querySelector('input')
  const found = box?.querySelector('[data-found]')
  if (!(box instanceof HTMLElement) || !input) return
  box.hidden = false
  const entries = [...document.querySelectorAll('[data-entry]')].filter(
    (entry) => entry instanceof HTMLElement,
  )
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    const kept = entries.filter((entry) => {
      const isKept = words.every((word) => entry.dataset['entry']?.includes(word))
      entry.hidden = !isKept
      return isKept
    })
    if (found) found.textContent = `${kept.length} of ${entries.length} operations`
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof Element && event.target.matches('input, textarea, select')) return
    event.preventDefault()
    document.querySelector('[data-contents]')?.setAttribute('open', '')
    input.focus()
  })
}
