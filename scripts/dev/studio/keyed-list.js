/** @type {WeakMap<Element, Map<string, Element>>} */
const shown = new WeakMap()

/**
 * Shows items as the children of a list. What was shown before and is unchanged stays where it is,
 * so that focus, selection and scrolling outlive an update.
 *
 * @template Item
 * @param {Element} list
 * @param {readonly Item[]} items
 * @param {(item: Item) => Element} make
 */
export function showItems(list, items, make) {
  const before = shown.get(list) ?? new Map()
  /** @type {Map<string, Element>} */
  const after = new Map()
  for (const item of items) {
    const key = freeKey(after, JSON.stringify(item))
    after.set(key, before.get(key) ?? make(item))
  }
  for (const [key, child] of before) if (!after.has(key)) child.remove()
  let next = list.firstElementChild
  for (const child of after.values()) {
    if (child === next) next = next.nextElementSibling
    else list.insertBefore(child, next)
  }
  shown.set(list, after)
}

/**
 * @param {ReadonlyMap<string, unknown>} taken
 * @param {string} key
 */
function freeKey(taken, key) {
  let free = key
  for (let again = 2; taken.has(free); again += 1) free = `${key} ${again}`
  return free
}
