import { type AnimalStoreError, createAnimalStore, type OperationId } from 'animal-store-client'

const store = createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key' })
declare const error: AnimalStoreError

// @ts-expect-error a key is needed
createAnimalStore({ baseUrl: 'https://host.example/v1' })
// @ts-expect-error there is no option of that name
createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key', retries: 3 })
// @ts-expect-error attempts are a number
createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'k', retry: { attempts: 'two' } })

// @ts-expect-error a limit is a number
store.listPets({ limit: '5' })
// @ts-expect-error there is no such status
store.listPets({ status: 'lost' })
// @ts-expect-error the list has no parameter page
store.listPets({ page: 2 })
// @ts-expect-error a pet has a category
store.createPet({ name: 'Rex' })
// @ts-expect-error the service gives the id
store.createPet({ id: 1, name: 'Rex', categoryId: 7 })
// @ts-expect-error a header field has one value
store.createPet({ name: 'Rex', categoryId: 7 }, { headers: { 'X-Request-Id': ['a'] } })
// @ts-expect-error createPet has no pages
store.createPet({ name: 'Rex', categoryId: 7 }, { maxPages: 3 })
// @ts-expect-error an id is a number
store.getPet('1')
// @ts-expect-error getPet has no query: what follows the id are options
store.getPet(1, { status: 'sold' })
// @ts-expect-error the contract has no such operation
store.deletePet(1)
// @ts-expect-error nor has it this one
export const id: OperationId = 'deletePet'
// @ts-expect-error one animal cannot be walked
for await (const pet of store.getPet(1)) console.log(pet)
// @ts-expect-error the status of an animal may be absent
export const status: Promise<string> = store.getPet(1).then((pet) => pet.status)
// @ts-expect-error what is known of an error is not to be changed
error.code = 'other'
// @ts-expect-error the methods are not to be replaced
store.getPet = () => Promise.reject()
// @ts-expect-error the contract has no such path
store.raw.GET('/animals')
