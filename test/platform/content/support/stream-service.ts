import { expect } from 'vitest'
import { openSocket } from '../../../helpers/raw.ts'
import { startServiceOf } from '../../../helpers/service.ts'
import { createStreamApi, type StreamHandler, type StreamKind } from './streams.ts'

/** Starts a service with one operation for each stream, at `/v1/0` and so on. */
export async function startStreams(
  streams: readonly (readonly [StreamKind, StreamHandler])[],
  environment: Readonly<Record<string, string>> = {},
) {
  const service = await startServiceOf(createStreamApi(streams), environment)
  const { origin, apiKey } = service
  const authorization = `Authorization: Bearer ${apiKey}\r\n`

  /** Opens a connection that sends one request. */
  function open(path: string, fields = '') {
    const socket = openSocket(origin)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${authorization}${fields}\r\n`)
    return socket
  }

  return {
    ...service,
    open,
    /** Opens a connection as `open` does; resolves when a text has arrived, with a function that returns all of it. */
    async openUntil(path: string, text: string) {
      const socket = open(path)
      let received = ''
      socket.setEncoding('latin1').on('data', (chunk) => {
        received += chunk
      })
      await expect.poll(() => received, { timeout: 10_000 }).toContain(text)
      return { socket, received: () => received }
    },
    /** Reads a stream until it ends; returns its content, which is not checked by the description. */
    async read(path: string, headers: Readonly<Record<string, string>> = {}) {
      const all = { Authorization: `Bearer ${apiKey}`, ...headers }
      return (await fetch(origin + path, { headers: all })).text()
    },
  }
}
