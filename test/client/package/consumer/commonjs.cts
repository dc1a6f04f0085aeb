import { createAnimalStore, type Page } from 'animal-store-client'

export const store = createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key' })
export const list: PromiseLike<Page<{ id: number }, unknown>> = store.listPets()
