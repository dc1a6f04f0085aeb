import { createAnimalStore } from '../../../client/index.ts'

// A program that has nothing else to do: it ends by itself unless the client holds it back.
const isCalledOff = process.env['CALL_OFF'] !== undefined
const [hour, controller] = [3_600_000, new AbortController()]
const store = createAnimalStore({
  baseUrl: `${process.env['BASE_URL']}`,
  apiKey: 'ask_test',
  timeout: { attempt: hour, total: 2 * hour },
  retry: isCalledOff ? { backoff: hour, longestBackoff: hour } : { backoff: 1 },
  onRetry() {
    if (isCalledOff) setImmediate(() => controller.abort())
  },
})
const outcome = await store.listPets({}, { signal: controller.signal }).then(
  (page) => `${page.length} animals`,
  (error) => (error.name === 'AbortError' ? error.name : error.code),
)
console.log(outcome)
