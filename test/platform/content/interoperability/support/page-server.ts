import { createServer } from 'node:http'
import { afterAll } from 'vitest'
import { listen } from '../../../../../server/process/node-http.ts'

/** Starts a server with a page that has one script; `show` replaces the script. */
export async function startPageServer() {
  let script = ''
  const server = createServer(({ url }, response) => {
    if (url === '/script.js') {
      response.setHeader('Content-Type', 'text/javascript').end(script)
    } else {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page)
    }
  })
  const origin = await listen(server, '127.0.0.1', 0)
  afterAll(() => void server.close())

  const show = (next: string) => {
    script = next
  }
  return { origin, show }
}

const page =
  '<!doctype html><title>Page</title><link rel="icon" href="data:,"><script type="module" src="/script.js"></script>'
