import { createAnimalStore } from '../../../client/index.ts'

// A program that has nothing else to do: it ends by itself unless the client holds it back.
const signal = new AbortController().signal
const store = createAnimalStore({
  baseUrl: `${process.env['BASE_URL']}`,
  apiKey: 'ask_test',
  timeout: { attempt: 3_600_000, total: 7_200_000 },
  retry: { backoff: 1 },
})
const outcome = await store.listPets({}, { signal }).then(
  (page) => `${page.length} animals`,
  (error) => error.code,
)
console.log(outcome)
