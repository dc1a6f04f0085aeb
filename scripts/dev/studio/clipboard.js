import { announce } from './announcement.js'
import { part } from './element.js'

/** How long a button says that it copied, in milliseconds. */
const saying = 2_000

/**
 * Copies a text, and says so on the button that asked for it and to those who listen.
 *
 * @param {string} text
 * @param {Element} button
 */
export async function copy(text, button) {
  const isCopied = await write(text)
  const words = isCopied ? `Copied ${text}` : `The browser does not allow to copy ${text}`
  const label = part(button, '.copied')
  label.textContent = words
  announce(words)
  setTimeout(() => {
    label.textContent = ''
  }, saying)
}

/** @param {string} text */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
