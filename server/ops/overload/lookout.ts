/** Milliseconds between two looks. */
const interval = 100

/** Makes what looks again and again, once it is begun, for as long as a look says that it should. */
export function createLookout(look: () => boolean): { readonly begin: () => void } {
  let isBegun = false

  function begin(): void {
    if (isBegun) return
    isBegun = true
    setTimeout(() => {
      isBegun = false
      if (look()) begin()
    }, interval).unref()
  }

  return { begin }
}
