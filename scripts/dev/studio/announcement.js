import { byId } from './element.js'

/**
 * Tells those who listen to the page rather than see it.
 *
 * @param {string} words
 */
export function announce(words) {
  const place = byId('announcement')
  // The same words twice would be heard once.
  place.textContent = place.textContent === words ? `${words} ` : words
}
