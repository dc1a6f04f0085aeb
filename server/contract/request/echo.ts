import { escapeToken, isObject, unescapeToken } from '../description.ts'
import type { Detail } from '../errors.ts'
import { shorten } from '../errors.ts'

/** How many characters that the caller made up an error repeats, over all of its details. */
const longestEcho = 100

/**
 * Bounds what the places of faults repeat of a request: names that the contract does not know are
 * shown until the total is spent, and then as `…`. Details that look alike after that become one.
 */
export function boundEcho(
  details: readonly Detail[],
  body: unknown,
  isKnown: (name: string) => boolean,
): Detail[] {
  let left = longestEcho
  const show = (name: string): string => {
    const shown = shorten(name, left)
    left = shown === name ? left - name.length : 0
    return shown
  }
  const showPath = (path: string): string => {
    const [root = '', place = '', ...tokens] = path.split('/')
    let node = place === 'body' ? body : undefined
    const shown = tokens.map((token) => {
      const name = unescapeToken(token)
      const isOurs = Array.isArray(node) || isKnown(name)
      node = isObject(node) || Array.isArray(node) ? Reflect.get(node, name) : undefined
      return isOurs ? token : escapeToken(show(name))
    })
    return [root, place, ...shown].join('/')
  }
  return withoutTwins(details.map(({ path, message }) => ({ path: showPath(path), message })))
}

/** The details without those that say the same of the same place. */
export function withoutTwins(details: readonly Detail[]): Detail[] {
  return [
    ...new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail])).values(),
  ]
}
