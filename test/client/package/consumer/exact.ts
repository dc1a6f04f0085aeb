import { createAnimalStore } from 'animal-store-client'

const store = createAnimalStore({ baseUrl: 'https://host.example/v1', apiKey: 'ask_key' })

// @ts-expect-error with exactOptionalPropertyTypes, what is left out is left out, not undefined
store.listPets({ limit: undefined })
