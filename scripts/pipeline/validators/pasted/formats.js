import { fastFormats } from 'ajv-formats/dist/formats.js'

/**
 * @param {string} v
 * @param {keyof typeof fastFormats} name
 */
export function hasFormat(v, name) {
  const format = fastFormats[name]
  /** @type {unknown} */
  const test = typeof format === 'object' && 'validate' in format ? format.validate : format
  if (test instanceof RegExp) return test.test(v)
  return test === true || (typeof test === 'function' && test(v) === true)
}
