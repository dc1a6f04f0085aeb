import { type Call, createSorter, type Row } from './call.ts'
import { type AnyPage, createPagedList } from './pages.ts'

/** Sends a call, and gives the content of its answer. */
export type Send = (row: Row, call: Call) => Promise<unknown>

/** Makes the method of an operation. */
export function createMethod(row: Row, send: Send) {
  const toCall = createSorter(row)
  return (...values: unknown[]) => {
    const call = toCall(values)
    if (!row.cursor) return send(row, call)
    const { query, options } = call
    const getPage = (next: Call['query']) => send(row, { ...call, query: next }) as Promise<AnyPage>
    return createPagedList({ ...options, query, operationId: row.operationId, getPage })
  }
}
