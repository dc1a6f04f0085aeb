/** The page that says what is new in each version of the platform. */
export const changesPage = 'docs/platform-changes.md'

/** What a version of the platform brings, as `docs/platform-changes.md` has it. */
export interface PlatformVersion {
  readonly version: string
  readonly text: string
}

/** Reads the versions of the page, the newest first. */
function readVersions(page: string): readonly PlatformVersion[] {
  const sections = page.split(/^## /m).slice(1)
  return sections.map((section) => {
    const [version = '', ...lines] = section.split('\n')
    return { version: version.trim(), text: lines.join('\n').trim() }
  })
}

/**
 * Returns the versions that a newer page has and an older one has not. Of a version that both have, as before
 * its release, it returns the lines that are new.
 */
export function findNewVersions(older: string, newer: string): readonly PlatformVersion[] {
  const olderTexts = new Map(readVersions(older).map(({ version, text }) => [version, text]))
  const versions = readVersions(newer).map(({ version, text }) => {
    const before = olderTexts.get(version)
    return { version, text: before === undefined ? text : findNewLines(before, text) }
  })
  return versions.filter(({ version, text }) => text !== '' || !olderTexts.has(version))
}

/** Returns the lines of a text that an older one does not have, below their headings. */
function findNewLines(older: string, newer: string): string {
  const olderLines = new Set(older.split('\n'))
  const parts = newer.split(/^(?=### )/m).map((part) => {
    const lines = part.split('\n')
    const heading = lines.find((line) => line.startsWith('### '))
    const added = lines.filter((line) => line !== heading && !olderLines.has(line)).join('\n')
    return added !== '' && heading !== undefined ? `${heading}\n\n${added}` : added
  })
  return parts.filter((part) => part !== '').join('\n\n')
}
