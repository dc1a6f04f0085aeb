import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'
import { destination } from './support/destination.ts'
import { bundlePage } from './support/page-bundle.ts'

// What runtimes at the edge have in common (https://min-common-api.proposal.wintertc.org), as far
// as it matters here.
const names = [
  ...['AbortController', 'AbortSignal', 'DOMException', 'Event', 'EventTarget'],
  ...['Blob', 'FormData', 'Headers', 'ReadableStream', 'Request', 'Response', 'fetch'],
  ...['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'console', 'crypto', 'performance'],
  ...['clearTimeout', 'queueMicrotask', 'setTimeout', 'structuredClone'],
] as const

test('it runs where there are web globals and nothing else, and no code is made of text', async () => {
  const { baseUrl, apiKey } = await startTestService()
  const globals = Object.fromEntries(names.map((name) => [name, globalThis[name]]))
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } })
  expect(runInContext('[typeof process, typeof Buffer, typeof require].join()', context)).toBe(
    'undefined,undefined,undefined',
  )
  const run = `${await bundlePage()}; page.travel(${JSON.stringify({ baseUrl, apiKey })})`
  const arrived: unknown = await runInContext(run, context)
  // What is made in there has another `Object`.
  expect(structuredClone(arrived)).toEqual(destination)
})
