import type { Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.d.ts'
import { operations } from '../generated/operations.ts'
import { createSorter, type Row } from './call.ts'
import { createCaller } from './caller.ts'
import type { Methods } from './methods.ts'
import { type AnimalStoreOptions, checkOptions } from './options.ts'
import { createPagedList } from './pages.ts'

/** A client of the animal store: a method for each operation, and the client beneath them. */
export interface AnimalStore extends Methods {
  /** The openapi-fetch client that the methods call; it answers with `data` or `error`. */
  readonly raw: Client<paths>
}

/** Makes a client of the animal store; throws a `TypeError` when an option cannot be used. */
export function createAnimalStore(options: AnimalStoreOptions): AnimalStore {
  checkOptions(options)
  const { raw, call, getPage } = createCaller(options)
  const toMethod = (row: Row) => {
    const sort = createSorter(row)
    return (...values: unknown[]) => {
      const wanted = sort(values)
      if (row.paginatedBy === undefined) return call(row, wanted).then(({ content }) => content)
      return createPagedList({
        ...wanted.options,
        operationId: row.operationId,
        query: wanted.query,
        getPage: (query) => getPage(row, { ...wanted, query }),
      })
    }
  }
  const methods = Object.values(operations).map((row) => [row.operationId, toMethod(row)])
  // The table that is walked here is the one that the type of the methods is computed from.
  return Object.assign(Object.fromEntries(methods) as Methods, { raw })
}
