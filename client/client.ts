import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.d.ts'
import { operations } from '../generated/operations.ts'
import { type Call, type Row, toCall } from './call.ts'
import { createCaller } from './caller.ts'
import type { Methods } from './methods.ts'
import type { AnimalStoreOptions } from './options.ts'
import { createPagedList } from './pages.ts'

/** A client of the animal store: a method for each operation, and the client beneath them. */
export interface AnimalStore extends Methods {
  /** The openapi-fetch client that the methods call; it answers with `data` or `error`. */
  readonly raw: Client<paths>
}

/** Makes a client of the animal store; throws a `TypeError` when an option cannot be used. */
export function createAnimalStore(options: AnimalStoreOptions): AnimalStore {
  checkOptions(options)
  const { call, getPage, fetch } = createCaller(options)
  const raw = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    headers: { Authorization: `Bearer ${options.apiKey}` },
    fetch,
  })
  const toMethod = (row: Row) => {
    return (...values: unknown[]) => {
      const sorted = toCall(row, values)
      if (row.paginatedBy === undefined) {
        return call(raw, row, sorted).then(({ content }) => content)
      }
      const { maxPages } = sorted.options
      const getOne = (query: Call['query']) => getPage(raw, row, { ...sorted, query })
      return createPagedList(row.operationId, getOne, sorted.query, maxPages)
    }
  }
  const methods = Object.values(operations).map((row) => [row.operationId, toMethod(row)])
  // The table that is walked here is the one that the type of the methods is computed from.
  return Object.assign(Object.fromEntries(methods) as Methods, { raw })
}

// What cannot be a header or a URL is refused here, where nothing of it gets into a message.
function checkOptions({ baseUrl, apiKey }: AnimalStoreOptions): void {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      'apiKey must be a key as it was issued: visible ASCII characters, not empty.',
    )
  }
  if (/^[a-z]+:\/\/[^/]*@/i.test(baseUrl)) {
    throw new TypeError('baseUrl must not hold a user name or a password.')
  }
}
