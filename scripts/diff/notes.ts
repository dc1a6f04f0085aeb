import { existsSync, readFileSync } from 'node:fs'

/** The notes on the next version, which are written by hand. */
export interface Notes {
  readonly text: string
  /** A heading with the word breaking, which needs a major version. */
  readonly breaking: string | undefined
}

/** Reads what a changelog has under `## Next`. */
export function readNotes(file: string): Notes {
  const changelog = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const entries = changelog.split(/^(?=## )/m)
  const next = entries.find((entry) => /^## Next$/m.test(entry))
  const text = next?.slice('## Next'.length).trim() ?? ''
  const [breaking] = /^#+ .*\bbreaking\b.*$/im.exec(text) ?? []
  return { text, breaking }
}
