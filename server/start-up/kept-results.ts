import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files that a folder of results has at most. */
const usualLimit = 1_000

/** Lines that checks have returned, each in a file whose name is the digest of what was checked. */
export class KeptResults {
  readonly #folder: string
  readonly #limit: number

  constructor(folder: string, limit = usualLimit) {
    this.#folder = folder
    this.#limit = limit
  }

  /** Returns the lines of a check; undefined if they are not kept. */
  find(digest: string): readonly string[] | undefined {
    try {
      return readFileSync(join(this.#folder, digest), 'utf8').split('\n').filter(Boolean)
    } catch {
      return undefined
    }
  }

  keep(digest: string, lines: readonly string[]): void {
    try {
      mkdirSync(this.#folder, { recursive: true })
      writeFileSync(join(this.#folder, digest), lines.join('\n'))
      this.#removeOldest()
    } catch {
      // In an image, the service cannot write there: every start checks. Another process may remove files, too.
    }
  }

  /** Removes the older half of the files where there are too many. */
  #removeOldest(): void {
    const names = readdirSync(this.#folder)
    if (names.length <= this.#limit) {
      return
    }
    const files = names.map((name) => {
      const path = join(this.#folder, name)
      return { path, writtenAt: statSync(path).mtimeMs }
    })
    const oldest = files
      .sort((one, other) => one.writtenAt - other.writtenAt)
      .slice(0, Math.ceil(files.length / 2))
    for (const { path } of oldest) {
      rmSync(path, { force: true })
    }
  }
}
