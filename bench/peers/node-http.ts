// A peer of the service: bare node:http, which validates nothing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { basePath } from '../../generated/operations.ts'
import { type Call, listen, openWork, operationOf, type PeerResponse, type Values } from './work.ts'

const work = await openWork()

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/', query = ''] = request.url?.split('?', 2) ?? []
  const operationId = operationOf(request.method, path)
  if (operationId === undefined) {
    response.writeHead(404).end()
    return
  }
  const call = await work.open(request, response, operationId)
  if (call.error !== undefined) {
    write(response, work.reject(call))
  } else {
    write(response, await work.respond(call, await readValues(request, call, query)))
  }
}

async function readValues(request: IncomingMessage, call: Call, query: string): Promise<Values> {
  switch (call.operationId) {
    case 'listPets': {
      const { limit = '20', ...others } = Object.fromEntries(new URLSearchParams(query))
      return { query: { ...others, limit: Number(limit) } }
    }
    case 'getPet':
      return { path: { petId: Number(call.path.slice(`${basePath}/pets/`.length)) } }
    case 'createPet': {
      const headers = { 'Idempotency-Key': request.headers['idempotency-key'] }
      return { headers, body: await json(request) }
    }
  }
}

function write(response: ServerResponse, { status, headers, body }: PeerResponse): void {
  const content = JSON.stringify(body)
  const length = Buffer.byteLength(content)
  const own = { 'Content-Type': 'application/json', 'Content-Length': length }
  response.writeHead(status, { ...headers, ...own }).end(content)
}

await listen(
  createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  }),
)
