import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { Store } from '../../store/store.ts'

/** A store whose work for a request is a span below that of the request. */
export function traceStore(
  store: Store,
  tracer: Tracer,
  current: AsyncLocalStorage<Context>,
  system: string,
): Store {
  function traced<Values extends unknown[], Result>(
    collection: string,
    operation: string,
    work: (...values: Values) => Promise<Result>,
  ) {
    const attributes = {
      'db.system.name': system,
      'db.collection.name': collection,
      'db.operation.name': operation,
    }
    return async (...values: Values): Promise<Result> => {
      const parent = current.getStore()
      if (parent === undefined) return work(...values)
      const options = { kind: SpanKind.CLIENT, attributes }
      const span = tracer.startSpan(`${operation} ${collection}`, options, parent)
      try {
        return await work(...values)
      } catch (error) {
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    }
  }

  const { pets, keys } = store
  return {
    ...store,
    pets: {
      ...pets,
      add: traced('animals', 'add', pets.add),
      find: traced('animals', 'find', pets.find),
      page: traced('animals', 'page', pets.page),
    },
    keys: { ...keys, findByDigest: traced('keys', 'find', keys.findByDigest) },
  }
}
