import type { Input } from '../../server/contract/handler.ts'
import type { petColumns } from '../../server/pets/schema.ts'
import type { Equal, Expect } from './equal.ts'

// A parameter or field that no handler reads is accepted and has no effect. A new optional one belongs
// here, once the handler reads it; the compiler reports one that is removed at the handler.

type List = Input<'listPets'>
type Create = Input<'createPet'>
type Get = Input<'getPet'>

type ByList = 'limit' | 'status' | 'cursor'
type Kept = keyof typeof petColumns

export type ListPetsReads = Expect<
  Equal<keyof List['query'] | keyof List['headers'] | ByList, ByList>
>
export type CreatePetReads = Expect<
  Equal<Exclude<keyof Create['query'] | keyof Create['headers'], 'Idempotency-Key'>, never>
>
export type CreatePetKeeps = Expect<Equal<Exclude<keyof Create['body'], Kept>, never>>
export type GetPetReads = Expect<Equal<keyof Get['query'] | keyof Get['headers'], never>>
