/** @typedef {(value: unknown) => boolean} Fits */

export const anything = () => true
export const nothing = () => false
/** @param {unknown} v */
export const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v)

/**
 * @param {object} v
 * @param {ReadonlySet<string>} names
 */
export function hasOnly(v, names) {
  for (const name in v) if (!names.has(name)) return false
  return true
}

/**
 * @param {Record<string, unknown>} v
 * @param {ReadonlySet<string>} names
 * @param {Fits} fits
 */
export function haveOthers(v, names, fits) {
  for (const name in v) if (!names.has(name) && !fits(v[name])) return false
  return true
}

/**
 * @param {readonly unknown[]} v
 * @param {Fits} fits
 */
export function haveAll(v, fits) {
  for (const item of v) if (!fits(item)) return false
  return true
}

/** @param {string} v */
export function lengthOf(v) {
  let length = 0
  for (const _ of v) length++
  return length
}

/** @type {(() => void)[]} */
let undoing = []

/**
 * @param {Record<string, unknown>} v
 * @param {string} name
 * @param {() => unknown} make
 */
export function fill(v, name, make) {
  if (v[name] !== undefined) return true
  const isThere = name in v
  undoing.push(() => {
    if (isThere) v[name] = undefined
    else delete v[name]
  })
  v[name] = make()
  return true
}

/**
 * What is not accepted here is for the validator to judge, as it was sent.
 * @param {Fits} fits
 * @returns {Fits}
 */
export function orAsItWas(fits) {
  return (v) => {
    undoing = []
    const isAccepted = fits(v)
    if (!isAccepted) for (const undo of undoing.reverse()) undo()
    undoing = []
    return isAccepted
  }
}
