import type { Input } from '../../server/contract/handler.ts'
import type { petColumns } from '../../server/pets/schema.ts'
import type { Nothing } from './equal.ts'

// A parameter or field that no handler reads is accepted and has no effect: the compiler names it here.
// A new optional one is added to these lists once the handler reads it; one that is removed is reported
// at the handler.

type List = Input<'listPets'>
type Create = Input<'createPet'>
type Get = Input<'getPet'>

export type UnreadByList = Nothing<
  Exclude<keyof List['query'] | keyof List['headers'], 'limit' | 'status' | 'cursor'>
>
export type UnreadByCreate = Nothing<
  Exclude<keyof Create['query'] | keyof Create['headers'], 'Idempotency-Key'>
>
export type WithoutColumn = Nothing<Exclude<keyof Create['body'], keyof typeof petColumns>>
export type UnreadByGet = Nothing<keyof Get['query'] | keyof Get['headers']>
