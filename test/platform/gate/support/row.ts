import type { Edit } from '../../pipeline/support/spec-edit.ts'

/** An edit of the description, and what has to be said of it. */
export type Row = readonly [done: string, edit: Edit, place: string, what: string]
