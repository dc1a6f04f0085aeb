import type { Input } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

// What a handler does not read is accepted all the same, and does nothing. So whoever adds an
// optional parameter or field to the contract teaches the handler to read it, and names it here.

type List = Input<'listPets'>
type Create = Input<'createPet'>
type Get = Input<'getPet'>

export type ListPetsReads = Expect<
  Equal<keyof List['query'] | keyof List['headers'], 'limit' | 'status' | 'cursor'>
>
export type CreatePetReads = Expect<
  Equal<keyof Create['query'] | keyof Create['headers'], 'Idempotency-Key'>
>
export type CreatePetKeeps = Expect<Equal<keyof Create['body'], 'name' | 'categoryId' | 'status'>>
export type GetPetReads = Expect<Equal<keyof Get['query'] | keyof Get['headers'], never>>
