import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { onTestFinished } from 'vitest'

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
])

/** Serves the files of a folder until the test ends; gives the origin. */
export async function serveFiles(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const type = types.get(extname(pathname)) ?? 'application/octet-stream'
    readFile(join(folder, pathname)).then(
      (content) => response.writeHead(200, { 'Content-Type': type }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('It has no port.')
  return `http://127.0.0.1:${address.port}`
}
