/** An item of a list, and where it was on the screen. */
interface Anchor {
  readonly list: string
  readonly key: string
  readonly top: number
}

/** Updates the page, and keeps the item that is read where it is on the screen. */
export function keepPosition(update: () => void): void {
  const anchor = findAnchor()
  update()
  if (anchor === undefined) {
    return
  }
  const items = Array.from(document.getElementById(anchor.list)?.children ?? [])
  const item = items.find((each) => each.getAttribute('data-key') === anchor.key)
  if (item !== undefined) {
    window.scrollBy(0, item.getBoundingClientRect().top - anchor.top)
  }
}

/** Returns the item that has the focus, or else the first one on the screen; none at the top of the page. */
function findAnchor(): Anchor | undefined {
  if (window.scrollY === 0) {
    return undefined
  }
  const focused = document.activeElement?.closest('[data-key]')
  const items = Array.from(document.querySelectorAll('[data-key]'))
  const item = focused && isOnScreen(focused) ? focused : items.find(isOnScreen)
  const key = item?.getAttribute('data-key')
  const list = item?.parentElement?.id
  if (item === undefined || typeof key !== 'string' || list === undefined) {
    return undefined
  }
  return { list, key, top: item.getBoundingClientRect().top }
}

function isOnScreen(item: Element): boolean {
  const { top, bottom } = item.getBoundingClientRect()
  // What is folded has no height.
  return bottom > top && bottom > 0 && top < window.innerHeight
}
