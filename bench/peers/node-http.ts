// A peer of the service: bare node:http, which validates nothing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { basePath } from '../../generated/operations.ts'
import type { Answer } from './answer.ts'
import { type Exchange, operationOf, type Values } from './exchange.ts'
import { listen } from './listening.ts'
import { openWork } from './work.ts'

const work = await openWork()
const prefix = `${basePath}/pets/`.length

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let exchange: Exchange | undefined
  work.watch(request, response, () => exchange)
  const [path = '/', query = ''] = request.url?.split('?', 2) ?? []
  const operationId = operationOf(request.method, path)
  if (operationId === undefined) {
    response.writeHead(404).end()
    return
  }
  exchange = await work.open(request, operationId)
  const answer =
    exchange.refusal === undefined
      ? await work.answer(exchange, await readValues(exchange, query, request))
      : work.refuse(exchange)
  write(response, answer)
}

async function readValues(
  { operationId, path }: Exchange,
  query: string,
  request: IncomingMessage,
): Promise<Values> {
  switch (operationId) {
    case 'listPets': {
      const { limit = '20', ...others } = Object.fromEntries(new URLSearchParams(query))
      return { query: { ...others, limit: Number(limit) } }
    }
    case 'getPet':
      return { path: { petId: Number(path.slice(prefix)) } }
    case 'createPet': {
      const headers = { 'Idempotency-Key': request.headers['idempotency-key'] }
      return { headers, body: await json(request) }
    }
  }
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  // As a text, which is written together with the header section.
  const content = JSON.stringify(body)
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(content),
  })
  response.end(content)
}

listen(
  createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  }),
)
