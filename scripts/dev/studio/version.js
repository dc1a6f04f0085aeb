/**
 * Whether a version is another one or a later one.
 *
 * @param {string} version
 * @param {string} other
 */
export function isAtLeast(version, other) {
  return version.localeCompare(other, 'en', { numeric: true }) >= 0
}
