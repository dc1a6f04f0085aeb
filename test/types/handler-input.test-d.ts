import type { CallContext, Input, Schema } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

type Status = Schema<'PetStatus'>
type List = Input<'listPets'>
type Create = Input<'createPet'>
type Get = Input<'getPet'>

// A parameter with a default is always there, another one may be absent.
export type Limit = Expect<Equal<List['query']['limit'], number>>
export type StatusFilter = Expect<Equal<List['query']['status'], Status | undefined>>
export type Cursor = Expect<Equal<List['query']['cursor'], string | undefined>>
export type PetId = Expect<Equal<Get['path']['petId'], number>>
export type IdempotencyKey = Expect<Equal<Create['headers']['Idempotency-Key'], string | undefined>>
export type NoPath = Expect<Equal<keyof List['path'], never>>

// A body is the schema's, nothing where the operation takes none.
export type NewPet = Expect<Equal<Create['body'], Schema<'NewPet'>>>
export type NewPetStatus = Expect<Equal<Create['body']['status'], Status | undefined>>
export type NoBody = Expect<Equal<Get['body'], never>>

export type CallerId = Expect<Equal<CallContext<'getPet'>['callerId'], string | undefined>>

declare const list: List
declare const create: Create
declare const get: Get
declare const context: CallContext<'listPets'>

export const values: [number, number, string] = [list.query.limit, get.path.petId, create.body.name]

// @ts-expect-error there is no page number
list.query.page
// @ts-expect-error the service gives the id, the caller does not
create.body.id
// @ts-expect-error it is called petId
get.path.id
// @ts-expect-error names are spelled as in the contract
create.headers['idempotency-key']
// @ts-expect-error the filter may be absent
export const filter: Status = list.query.status
// @ts-expect-error there is no such status
export const isLost: boolean = create.body.status === 'lost'
// @ts-expect-error what came in is not to be changed
list.query = { limit: 1 }
// @ts-expect-error a handler sees no request
list.request
// @ts-expect-error a handler sees no response
context.response

export const href: string = context.hrefWith({ limit: 1, status: undefined, cursor: 'a' })
// @ts-expect-error the list has no parameter page
context.hrefWith({ limit: 1, page: 2 })
// @ts-expect-error a limit is a number
context.hrefWith({ limit: '1' })
