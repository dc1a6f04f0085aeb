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

/** Returns the versions that a newer page has and an older one has not. */
export function findNewVersions(older: string, newer: string): readonly PlatformVersion[] {
  const known = new Set(readVersions(older).map(({ version }) => version))
  return readVersions(newer).filter(({ version }) => !known.has(version))
}
