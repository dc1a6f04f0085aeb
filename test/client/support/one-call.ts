import { createAnimalStore } from '../../../client/index.ts'

// This program ends by itself unless the client keeps it alive.
const isCancelled = process.env['CANCEL'] !== undefined
const [hour, controller] = [3_600_000, new AbortController()]
const store = createAnimalStore({
  baseUrl: `${process.env['BASE_URL']}`,
  apiKey: 'ask_test',
  timeout: { attempt: hour, total: 2 * hour },
  retry: isCancelled ? { backoff: hour, longestBackoff: hour } : { backoff: 1 },
  onRetry() {
    if (isCancelled) setImmediate(() => controller.abort())
  },
})
const outcome = await store.listPets({}, { signal: controller.signal }).then(
  (page) => `${page.length} animals`,
  (error) => (error.name === 'AbortError' ? error.name : error.code),
)
console.log(outcome)
