/** First in, first out, at a cost that does not grow with its length. */
export interface Queue<Item> {
  readonly length: () => number
  readonly push: (item: Item) => void
  readonly shift: () => Item | undefined
}

/** Entries that have left, and are kept until there are so many of them. */
const mostLeft = 1_000

export function createQueue<Item>(): Queue<Item> {
  let items: (Item | undefined)[] = []
  let first = 0
  return {
    length: () => items.length - first,
    push: (item) => void items.push(item),
    shift() {
      const item = items[first]
      if (item === undefined) return undefined
      items[first] = undefined
      first++
      if (first === items.length || first === mostLeft) {
        items = items.slice(first)
        first = 0
      }
      return item
    },
  }
}
