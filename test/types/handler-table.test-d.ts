import type { operations } from '../../generated/openapi.d.ts'
import type { Handler, Handlers, OperationId } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

export type EveryOperation = Expect<Equal<OperationId, keyof operations>>
export type EveryHandler = Expect<Equal<keyof Handlers, OperationId>>

declare const handlers: Handlers
const { getPet, ...others } = handlers

export const whole: Handlers = { ...others, getPet }

// @ts-expect-error getPet is missing
export const missing: Handlers = others

// @ts-expect-error the contract has no killPet
export const extra: Handlers = { ...handlers, killPet: getPet }

// @ts-expect-error it is getPet
export const misspelled: Handlers = { ...others, getPett: getPet }

// @ts-expect-error a handler of one operation does not fit another
export const mixedUp: Handlers = { ...handlers, createPet: getPet }

// @ts-expect-error a handler is a function
export const empty: Handlers = { ...handlers, getPet: undefined }

// @ts-expect-error the table of the contract is not to be changed
handlers.getPet = getPet

// @ts-expect-error the contract has no such operation
export type Unknown = Handler<'killPet'>
