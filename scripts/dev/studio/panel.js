import { byId, part } from './element.js'
import { showItems } from './keyed-list.js'

/**
 * Shows the items of a panel, how many they are, and a sentence where there are none.
 *
 * @template Item
 * @param {string} id
 * @param {readonly Item[]} items
 * @param {(item: Item) => Element} make
 * @param {{ count?: string, empty?: string }} [words]
 */
export function showPanel(id, items, make, { count, empty } = {}) {
  const panel = byId(id)
  const none = part(panel, '.empty')
  const list = part(panel, '.entries')
  showItems(list, items, make)
  // What scrolls can be reached without a mouse; what does not is no stop on the way.
  if (list.scrollHeight > list.clientHeight) list.tabIndex = 0
  else list.removeAttribute('tabindex')
  part(panel, '.count').textContent = count ?? String(items.length)
  none.hidden = items.length > 0
  if (empty !== undefined) none.textContent = empty
}
