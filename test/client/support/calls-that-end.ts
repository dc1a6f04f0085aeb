import { createAnimalStore } from '../../../client/index.ts'

// Calls one service after the other; then this program ends, unless a client keeps it alive.
const hour = 3_600_000
for (const baseUrl of process.argv.slice(2)) {
  const [isCancelled, controller] = [baseUrl.endsWith('/cancel'), new AbortController()]
  const store = createAnimalStore({
    baseUrl,
    apiKey: 'ask_test',
    timeout: hour,
    totalTimeout: 2 * hour,
    maxRetryDelay: isCancelled ? hour : 1,
    onRetry() {
      if (isCancelled) setImmediate(() => controller.abort())
    },
  })
  const outcome = await store.listPets({}, { signal: controller.signal }).then(
    (page) => `${page.length} pets`,
    (error) => (error.name === 'AbortError' ? error.name : error.code),
  )
  console.log(outcome)
}
