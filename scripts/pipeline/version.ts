/** A version of three numbers, such as 1.4.0. */
export const versionPattern = String.raw`^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$`

const version = new RegExp(versionPattern)

/** Returns whether a text is a version of semver.org with nothing behind its three numbers. */
export function isVersion(text: string): boolean {
  return version.test(text)
}
