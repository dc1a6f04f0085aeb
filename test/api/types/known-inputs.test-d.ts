import type { petColumns } from '../../../server/api/schema.ts'
import type { Input } from '../../../server/contract/handler.ts'
import type { Expect, NoneOf } from '../../helpers/equal.ts'

// A parameter or field that no handler reads is accepted and has no effect: the compiler names it here.
// A new optional one is added to these lists once the handler reads it; one that is removed is reported
// at the handler.

type List = Input<'listPets'>
type Create = Input<'createPet'>
type Get = Input<'getPet'>

type ParametersOf<Operation extends { query: object; headers: object }> =
  | keyof Operation['query']
  | keyof Operation['headers']
type Unread = 'is not read by the handler; once it is, add it here'

export type UnreadByList = Expect<
  NoneOf<Exclude<ParametersOf<List>, 'limit' | 'status' | 'cursor'>, Unread>
>
export type UnreadByCreate = Expect<
  NoneOf<Exclude<ParametersOf<Create>, 'Idempotency-Key'>, Unread>
>
export type UnreadByGet = Expect<NoneOf<ParametersOf<Get>, Unread>>
export type WithoutColumn = Expect<
  NoneOf<Exclude<keyof Create['body'], keyof typeof petColumns>, 'has no column in petColumns'>
>
