import { getEventListeners } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { startProgram } from '../support/program.ts'
import {
  answer,
  answerEndlessly,
  emptyPage,
  refuse,
  resetAfter,
  resetBefore,
  stall,
  truncated,
} from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { type Behaviour, startScriptedServer } from './support/scripted-server.ts'
import { startScriptedStore } from './support/scripted-store.ts'

afterEach(() => vi.restoreAllMocks())

test('a long-lived signal keeps no listener of a call that is over', async () => {
  const { signal } = new AbortController()
  const faults = [refuse(503), resetAfter, truncated, refuse(404)]
  const { store, requests } = await startScriptedStore([...faults, emptyPage], {
    retry: { backoff: 0 },
  })
  expect((await failureOf(store.listPets({}, { signal }))).status).toBe(404)
  const idle = await startScriptedStore([stall], { timeout: { total: 20 } })
  expect((await failureOf(idle.store.listPets({}, { signal }))).code).toBe('timeout')
  expect(getEventListeners(signal, 'abort')).toEqual([])
  for (const _ of Array(1_000).keys()) await store.listPets({}, { signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(requests).toHaveLength(1_004)
})

test('many calls at once under one signal warn of nothing', async () => {
  const { signal } = new AbortController()
  const warn = vi.spyOn(process, 'emitWarning')
  const { store } = await startScriptedStore([emptyPage])
  await Promise.all(Array.from({ length: 50 }, () => store.listPets({}, { signal })))
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(warn).not.toHaveBeenCalled()
})

test.each([
  ['a call that succeeds', [emptyPage], '0 animals'],
  ['a call that is repeated', [refuse(503), resetAfter, truncated, emptyPage], '0 animals'],
  ['a call that fails', [refuse(404)], 'code_404'],
  ['a call that never succeeds', [resetAfter], 'network_error'],
  ['an endless answer that was not read', [answerEndlessly(503), emptyPage], '0 animals'],
])('after %s nothing keeps the process alive', async (_, behaviours, outcome) => {
  const { baseUrl } = await startScriptedServer(...behaviours)
  const env = { BASE_URL: baseUrl }
  const program = startProgram('test/client/support/one-call.ts', [], { env })
  expect(await program.ended).toMatchObject({ status: 0, output: `${outcome}\n`, complaint: '' })
})

test('after a wait that was called off nothing keeps the process alive', async () => {
  const { baseUrl } = await startScriptedServer(refuse(503))
  const env = { BASE_URL: baseUrl, CALL_OFF: 'yes' }
  const program = startProgram('test/client/support/one-call.ts', [], { env })
  expect(await program.ended).toMatchObject({ status: 0, output: 'AbortError\n' })
})

test('an endless answer is let go before the next attempt is answered', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const whenGone: Behaviour = { act: (socket) => void promise.then(() => emptyPage.act(socket)) }
  const { store, requests } = await startScriptedStore([answerEndlessly(503), whenGone])
  const call = Promise.resolve(store.listPets())
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  await requests[0]?.closed
  resolve()
  expect([...(await call)]).toEqual([])
})

test('repeated answers do not use up the connections of a pool', async () => {
  const large = answer(503, 'x'.repeat(1_000_000))
  const { store, requests } = await startScriptedStore([...Array(50).fill(large), emptyPage], {
    retry: { attempts: 51, backoff: 0 },
  })
  expect([...(await store.listPets())]).toEqual([])
  expect(requests).toHaveLength(51)
  await Promise.all(requests.slice(0, 50).map(({ closed }) => closed))
})

const closeLater: Behaviour = {
  act(socket) {
    emptyPage.act(socket)
    setImmediate(() => socket.end())
  },
}
const closeOnArrival: Behaviour = { atOnce: true, act: (socket) => socket.destroy() }

test.each([
  ['closes an idle connection as the next request arrives', [emptyPage, closeOnArrival]],
  ['resets an idle connection as the next request arrives', [emptyPage, resetBefore]],
  ['closes every connection while the next request may be on its way', [closeLater]],
])('a server that %s costs no call', async (_, behaviours) => {
  const script = Array<readonly Behaviour[]>(20).fill(behaviours).flat()
  const { store } = await startScriptedStore([...script, emptyPage])
  for (const _ of Array(20).keys()) expect([...(await store.listPets())]).toEqual([])
})
