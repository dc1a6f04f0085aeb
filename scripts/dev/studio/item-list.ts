import { byId, setText } from './element.ts'

/** How items become elements of a list. */
interface ItemView<Item> {
  /** Returns what stays the same of an item when the state is another one. */
  readonly keyOf: (item: Item) => string
  readonly toElement: (item: Item) => HTMLElement
}

/**
 * Shows items in a list, and hides its section if there are none. The element of an item that is still
 * there stays in the page, and keeps the focus and a selection.
 */
export function showItems<Item>(
  id: string,
  items: readonly Item[],
  { keyOf, toElement }: ItemView<Item>,
): void {
  const list = byId(id)
  byId(`${id}-section`).hidden = items.length === 0
  const focus = findFocus(list)

  const shownElements = new Map(
    Array.from(list.children, (child) => [child.getAttribute('data-key'), child]),
  )
  const keys = uniqueKeys(items.map(keyOf))
  const elements = items.map((item, index) => {
    const key = keys[index] ?? ''
    const json = JSON.stringify(item)
    const before = shownElements.get(key)
    if (before?.getAttribute('data-json') === json) {
      return before
    }
    const created = toElement(item)
    created.setAttribute('data-key', key)
    created.setAttribute('data-json', json)
    return created
  })
  arrange(list, elements)

  if (focus !== undefined && !list.contains(document.activeElement)) {
    const item = elements.find((each) => each.getAttribute('data-key') === focus.key)
    controlsOf(item)[focus.index]?.focus({ preventScroll: true })
  }
}

/** Shows how many items a list has, beside its heading. */
export function showCount(id: string, count: number): void {
  setText(`${id}-count`, String(count))
}

/** Gives items of the same key different ones. */
function uniqueKeys(keys: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return keys.map((key) => {
    const earlier = seen.get(key) ?? 0
    seen.set(key, earlier + 1)
    return earlier === 0 ? key : `${key} ${earlier}`
  })
}

/** Makes elements the children of a list, and moves only those that have another place. */
function arrange(list: HTMLElement, elements: readonly Element[]): void {
  const wanted = new Set(elements)
  for (const child of Array.from(list.children)) {
    if (!wanted.has(child)) {
      child.remove()
    }
  }
  for (const [index, each] of elements.entries()) {
    const present = list.children[index]
    if (present !== each) {
      list.insertBefore(each, present ?? null)
    }
  }
}

/** Returns the item whose control has the focus, and the position of that control. */
function findFocus(list: HTMLElement) {
  const { activeElement } = document
  const item = Array.from(list.children).find((child) => child.contains(activeElement))
  const controls: readonly (Element | null)[] = controlsOf(item)
  const index = controls.indexOf(activeElement)
  const key = item?.getAttribute('data-key')
  return key === null || key === undefined || index < 0 ? undefined : { key, index }
}

function controlsOf(item: Element | undefined): readonly HTMLElement[] {
  return Array.from(item?.querySelectorAll<HTMLElement>('a, button, [tabindex]') ?? [])
}
