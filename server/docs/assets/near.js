/** How far outside of the window an element is still near, as CSS writes margins. */
const rootMargin = '1000px 0px'

/**
 * Does something with each element when it first comes near the window.
 *
 * @param {string} selector Of the elements.
 * @param {(element: Element) => void} act
 */
export function watchNear(selector, act) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        observer.unobserve(target)
        act(target)
      }
    },
    { rootMargin },
  )
  for (const element of document.querySelectorAll(selector)) observer.observe(element)
}
