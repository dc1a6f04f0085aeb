/** Lets those who wait take turns: whoever has much waiting gets one through, and then the next. */
export interface FairQueue<Owner, Item> {
  readonly length: () => number
  /** How many others come first, about, where an owner lets one more wait. */
  readonly aheadOf: (owner: Owner) => number
  readonly push: (owner: Owner, item: Item) => void
  readonly shift: () => Item | undefined
}

export function createFairQueue<Owner, Item>(): FairQueue<Owner, Item> {
  // In the order in which it is their turn.
  const lanes = new Map<Owner, Item[]>()
  let length = 0

  return {
    length: () => length,
    aheadOf: (owner) => Math.min(length, lanes.size * ((lanes.get(owner)?.length ?? 0) + 1)),
    push(owner, item) {
      length++
      const lane = lanes.get(owner)
      if (lane === undefined) lanes.set(owner, [item])
      else lane.push(item)
    },
    shift() {
      for (const [owner, lane] of lanes) {
        length--
        lanes.delete(owner)
        const item = lane.shift()
        if (lane.length > 0) lanes.set(owner, lane)
        return item
      }
      return undefined
    },
  }
}
