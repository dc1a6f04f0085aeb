import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

/** Counts of calls are written whenever the service has time. */
const leftOut = ['key_usage']

/**
 * Makes what tells of everything that a database file keeps: a digest of all rows of all tables.
 * They are read again only when SQLite says that somebody has written.
 */
export function watchRows(file: string): () => string {
  const database = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => database.close())
  const version = database.prepare('PRAGMA data_version')
  let known: { version: unknown; digest: string } | undefined

  function digest(): string {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const kept = tables.map(({ name }) => String(name)).filter((name) => !leftOut.includes(name))
    const rows = kept.map((name) => database.prepare(`SELECT * FROM "${name}"`).all())
    return hash('sha256', JSON.stringify(rows))
  }

  return () => {
    const now = version.get()?.['data_version']
    if (known !== undefined && known.version === now) return known.digest
    known = { version: now, digest: digest() }
    return known.digest
  }
}
