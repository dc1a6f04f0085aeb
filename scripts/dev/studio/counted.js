/**
 * A number of things, such as `2 errors`.
 *
 * @param {number} number
 * @param {string} noun
 */
export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
