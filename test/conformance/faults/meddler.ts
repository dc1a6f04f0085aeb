import { createServer, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Field } from '../../support/traffic/exchange.ts'
import { type Answer, type Sent, send } from '../support/sent.ts'
import { reach, type Target } from '../support/target.ts'

export type Pass = (sent: Sent) => Promise<Answer>

/** Answers a request in place of the service, which it may pass the request on to. */
export type Meddle = (sent: Sent, pass: Pass, target: Target) => Promise<Answer>

// They belong to one connection, and are written anew for the next one.
const ofConnection =
  /^(?:connection|keep-alive|transfer-encoding|content-length|date|host|upgrade)$/i

/** Puts somebody between the run and a service, who changes what is asked and answered. */
export async function startMeddler(target: Target, meddle: Meddle): Promise<Target> {
  const pass: Pass = (sent) => send(target, sent, '')
  const server = createServer(async (request, response) => {
    const sent = await toSent(request)
    const { status, headers, body } = await meddle(sent, pass, target)
    const content = Buffer.from(body)
    const length = { name: 'Content-Length', value: String(content.length) }
    const isBare = sent.method === 'HEAD' || status === 204
    // The length that HEAD tells of is that of the content which is left out.
    const kept = sent.method === 'HEAD' ? headers.filter(isLength) : [length]
    const fields = [...ownFields(headers), ...(status === 204 ? [] : kept)]
    response.writeHead(
      status,
      fields.flatMap(({ name, value }) => [name, value]),
    )
    response.end(isBare ? undefined : content)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { ...target, ...reach(`http://127.0.0.1:${port}`) }
}

async function toSent(request: IncomingMessage): Promise<Sent> {
  const chunks: Uint8Array[] = await request.toArray()
  const { rawHeaders, method = '', url = '' } = request
  const headers = Array.from({ length: rawHeaders.length / 2 }, (_, at) => ({
    name: rawHeaders[2 * at] ?? '',
    value: rawHeaders[2 * at + 1] ?? '',
  }))
  const body = Buffer.concat(chunks).toString()
  return { method, path: url, headers: ownFields(headers), body: body === '' ? undefined : body }
}

function ownFields(fields: readonly Field[]): Field[] {
  return fields.filter(({ name }) => !ofConnection.test(name))
}

function isLength({ name }: Field): boolean {
  return name.toLowerCase() === 'content-length'
}
