import type { Client } from 'openapi-fetch'
import { calls } from '../generated/calls.ts'
import type { paths } from '../generated/openapi.d.ts'
import { createLine } from './line.ts'
import { createMethod, type Send } from './method.ts'
import type { Methods } from './methods.ts'
import type { AnimalStoreOptions } from './options.ts'
import { createRaw } from './raw.ts'
import { sendCall } from './send-call.ts'

/** A client of the animal store: a method for each operation, and the client beneath them. */
export interface AnimalStore extends Methods {
  /** The openapi-fetch client that the methods call; it answers with `data` or `error`. */
  readonly raw: Client<paths>
}

/** Makes a client of the animal store; throws a `TypeError` when an option cannot be used. */
export function createAnimalStore(options: AnimalStoreOptions): AnimalStore {
  const line = createLine(options)
  const raw = createRaw(line)
  const send: Send = (row, call) => sendCall(line, raw, row, call)
  const methods = Object.entries(calls).map(([operationId, row]) => {
    return [operationId, createMethod({ operationId, ...row }, send)]
  })
  // The table that is walked here is the one that the type of the methods is computed from.
  return { ...(Object.fromEntries(methods) as Methods), raw }
}
