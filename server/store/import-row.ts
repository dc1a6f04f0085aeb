import type { ImportState } from './import-store.ts'
import type { ImportsTable } from './tables.ts'

/** A row as how far a file is. */
export function toImportState(row: ImportsTable | undefined): ImportState {
  if (row === undefined) return { records: 0, animals: 0, finishedAt: undefined }
  const { records, animals, finished_at } = row
  return { records, animals, finishedAt: finished_at ?? undefined }
}
