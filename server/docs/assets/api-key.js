const name = 'api-key'

/** The key that was entered in this tab; empty when there is none. */
export function readKey() {
  return sessionStorage.getItem(name) ?? ''
}

/** Keeps the key that is entered for as long as the tab is there; no other tab sees it. */
export function watchKey() {
  const form = document.querySelector('[data-key]')
  const input = form?.querySelector('input')
  if (!(form instanceof HTMLFormElement) || !input) return
  form.hidden = false
  input.value = readKey()
  form.addEventListener('submit', (event) => event.preventDefault())
  input.addEventListener('input', () => keep(input.value.trim().replace(/^Bearer\s+/i, '')))
  form.querySelector('[data-forget]')?.addEventListener('click', () => {
    input.value = ''
    keep('')
    input.focus()
  })
}

/** @param {string} key */
function keep(key) {
  if (key === '') sessionStorage.removeItem(name)
  else sessionStorage.setItem(name, key)
  document.dispatchEvent(new Event('key-changed'))
}
