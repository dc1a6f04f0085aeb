import type { Handler, Handlers, OperationId } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

export type EveryOperation = Expect<Equal<OperationId, 'listPets' | 'createPet' | 'getPet'>>
export type EveryHandler = Expect<Equal<keyof Handlers, OperationId>>

declare const listPets: Handler<'listPets'>
declare const createPet: Handler<'createPet'>
declare const getPet: Handler<'getPet'>

export const whole: Handlers = { listPets, createPet, getPet }

// @ts-expect-error getPet is missing
export const missing: Handlers = { listPets, createPet }

// @ts-expect-error the contract has no killPet
export const extra: Handlers = { listPets, createPet, getPet, killPet: getPet }

// @ts-expect-error it is getPet
export const misspelled: Handlers = { listPets, createPet, getPett: getPet }

// @ts-expect-error a handler of one operation does not fit another
export const mixedUp: Handlers = { listPets, createPet: getPet, getPet }

// @ts-expect-error a handler is a function
export const empty: Handlers = { listPets, createPet, getPet: undefined }

// @ts-expect-error the table of the contract is not to be changed
whole.getPet = getPet

// @ts-expect-error the contract has no such operation
export type Unknown = Handler<'killPet'>
