import { type AnimalStoreError, createAnimalStore, type OperationId } from 'animal-store-client'

// `test/types` has more wrong uses of the methods; these show that the package keeps its types.
const store = createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key' })
declare const error: AnimalStoreError

// @ts-expect-error a key is needed
createAnimalStore({ baseUrl: 'https://host.example/v1' })
// @ts-expect-error there is no option of that name
createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key', unknown: 3 })
// @ts-expect-error attempts are a number
createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'k', retry: { attempts: 'two' } })
// @ts-expect-error there is no such status
store.listPets({ status: 'lost' })
// @ts-expect-error a pet has a category
store.createPet({ name: 'Rex' })
// @ts-expect-error a header field has one value
store.createPet({ name: 'Rex', categoryId: 7 }, { headers: { 'X-Request-Id': ['a'] } })
// @ts-expect-error createPet has no pages
store.createPet({ name: 'Rex', categoryId: 7 }, { maxPages: 3 })
// @ts-expect-error an id is a number
store.getPet('1')
// @ts-expect-error there is no such operation
store.noSuchOperation(1)
// @ts-expect-error there is no such operationId
export const id: OperationId = 'noSuchOperation'
// @ts-expect-error one pet cannot be iterated
for await (const pet of store.getPet(1)) console.log(pet)
// @ts-expect-error the status of a pet may be absent
export const status: Promise<string> = store.getPet(1).then((pet) => pet.status)
// @ts-expect-error an error cannot be changed
error.code = 'other'
// @ts-expect-error the methods cannot be replaced
store.getPet = () => Promise.reject()
// @ts-expect-error there is no such path
store.raw.GET('/no-such-path')
