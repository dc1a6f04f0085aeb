import { expect, test } from 'vitest'
import { startProgram } from '../helpers/program.ts'
import {
  emptyPage,
  resetAfter,
  respondEndlessly,
  respondError,
  startScriptedServer,
  truncated,
} from './support/scripted-server.ts'

test.each([
  ['a call that succeeds', [emptyPage], '0 animals', {}],
  ['a retried call', [respondError(503), resetAfter, truncated, emptyPage], '0 animals', {}],
  ['a call that fails', [respondError(404)], 'code_404', {}],
  ['a call that never succeeds', [resetAfter], 'network_error', {}],
  ['an endless response that was not read', [respondEndlessly(503), emptyPage], '0 animals', {}],
  ['a wait that was cancelled', [respondError(503)], 'AbortError', { CANCEL: 'yes' }],
])('%s does not keep the process alive', async (_, behaviours, outcome, env) => {
  const { baseUrl } = await startScriptedServer(...behaviours)
  const program = startProgram('test/client/support/one-call.ts', [], {
    env: { BASE_URL: baseUrl, ...env },
  })
  expect(await program.ended).toMatchObject({ status: 0, output: `${outcome}\n`, complaint: '' })
})
