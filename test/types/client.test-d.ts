import { type AnimalStore, createAnimalStore, type Methods, type Page } from '../../client/index.ts'
import type { OperationId, Schema } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

declare const store: AnimalStore
type Pet = Schema<'Pet'>
type ResultOf<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>

export type Names = Expect<Equal<keyof Methods, OperationId>>
type ListQuery = NonNullable<Parameters<Methods['listPets']>[0]>
export type Listed = Expect<Equal<ResultOf<'listPets'>, Page<Pet, ListQuery>>>
export type Next = Expect<Equal<ResultOf<'listPets'>['next'], ListQuery | undefined>>
export type Created = Expect<Equal<ResultOf<'createPet'>, Pet>>
export type Got = Expect<Equal<ResultOf<'getPet'>, Pet>>

const { signal } = new AbortController()
store.listPets()
store.listPets({ limit: 5, status: 'sold', cursor: 'a' }, { signal })
store.createPet({ name: 'Rex', categoryId: 7 }, { headers: { 'Idempotency-Key': 'a' } })
store.getPet(1, { signal })
createAnimalStore({ baseUrl: '/v1', apiKey: 'a', fetch: async () => new Response() })

// @ts-expect-error a limit is a number
store.listPets({ limit: '5' })
// @ts-expect-error there is no such status
store.listPets({ status: 'lost' })
// @ts-expect-error the list has no parameter page
store.listPets({ page: 2 })
// @ts-expect-error what is left out is left out, not undefined
store.listPets({ limit: undefined })

// @ts-expect-error an animal is needed
store.createPet()
// @ts-expect-error an animal has a category
store.createPet({ name: 'Rex' })
// @ts-expect-error a name is a string
store.createPet({ name: 1, categoryId: 7 })
// @ts-expect-error the service gives the id
store.createPet({ id: 1, name: 'Rex', categoryId: 7 })
// @ts-expect-error an animal has no field colour
store.createPet({ name: 'Rex', categoryId: 7, colour: 'brown' })
store.createPet({ name: 'Rex', categoryId: 7 }, { headers: { 'X-Request-Id': 'a' } })

// @ts-expect-error an id is needed
store.getPet()
// @ts-expect-error an id is a number
store.getPet('1')
// @ts-expect-error getPet has no query: what follows the id are options
store.getPet(1, { status: 'sold' })
// @ts-expect-error nothing more follows the options
store.getPet(1, {}, {})

// @ts-expect-error the contract has no killPet
store.killPet(1)
export const promised: Promise<Pet[]> = store.listPets()
// @ts-expect-error a page is an array of animals
export const first: Promise<Pet> = store.listPets()
// @ts-expect-error the status of an animal may be absent
export const status: Promise<Schema<'PetStatus'>> = store.getPet(1).then((pet) => pet.status)
// @ts-expect-error a key is needed
createAnimalStore({ baseUrl: '/v1' })
// @ts-expect-error the methods are not to be replaced
store.getPet = store.createPet

store.raw.GET('/pets', { params: { query: { limit: 5 } } })
// @ts-expect-error the contract has no such path
store.raw.GET('/animals', {})
// @ts-expect-error nothing can be deleted
store.raw.DELETE('/pets/{petId}', { params: { path: { petId: 1 } } })
