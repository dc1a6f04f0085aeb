// A peer of the service: Fastify. Its schemas come from the description; requests are validated and
// answers serialized by it, and answers validated in its `preSerialization`, as its plugin does.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { basePath } from '../../generated/operations.ts'
import type { Answer } from './answer.ts'
import type { Exchange, OperationId } from './exchange.ts'
import { idle, tell } from './listening.ts'
import { readRouteSchemas } from './spec-schemas.ts'
import { invalid, openWork } from './work.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | undefined
  }
  interface FastifyContextConfig {
    operationId?: OperationId
    answers?: ReadonlyMap<number, ValidateFunction>
  }
}

const work = await openWork()
const options = { strict: false, useDefaults: true, formats: { int64: true } } as const
const exact = new Ajv2020(options)
const coercing = new Ajv2020({ ...options, coerceTypes: 'array' })
const schemas = readRouteSchemas()
const app = fastify({ bodyLimit: 100_000, keepAliveTimeout: idle })

app.setValidatorCompiler(({ schema, httpPart }) =>
  (httpPart === 'body' ? exact : coercing).compile(schema),
)
app.decorateRequest('exchange', undefined)

app.addHook('onRequest', async (request, reply) => {
  work.watch(request.raw, reply.raw, () => request.exchange)
  const { operationId } = request.routeOptions.config
  if (operationId === undefined) return
  const exchange = await work.open(request.raw, operationId)
  request.exchange = exchange
  if (exchange.refusal !== undefined) return send(reply, work.refuse(exchange))
})

app.addHook('preSerialization', (request, reply, payload, done) => {
  const validate = request.routeOptions.config.answers?.get(reply.statusCode)
  if (validate === undefined || validate(payload)) done(null, payload)
  else done(new Error(`The answer breaks its schema: ${exact.errorsText(validate.errors)}`))
})

app.setErrorHandler((error: Error & { validation?: unknown }, request, reply) => {
  const { exchange } = request
  if (exchange === undefined) return reply.code(500).send()
  const isInvalid = error.validation !== undefined
  return send(reply, work.refuse(exchange, isInvalid ? invalid('/', error.message) : error))
})

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { exchange, query, params: path, body } = request
  if (exchange === undefined) throw new Error('The request was not admitted.')
  const headers = { 'Idempotency-Key': request.headers['idempotency-key'] }
  return send(reply, await work.answer(exchange, { query, path, headers, body }))
}

function add(operationId: OperationId, method: 'GET' | 'POST', path: string): void {
  const { response, ...request } = schemas[operationId]
  const answers = new Map(
    Object.entries(response).map(([status, schema]) => [Number(status), exact.compile(schema)]),
  )
  const schema = { ...request, response }
  const config = { operationId, answers }
  app.route({ method, url: `${basePath}${path}`, schema, config, handler: handle })
}

add('listPets', 'GET', '/pets')
add('createPet', 'POST', '/pets')
add('getPet', 'GET', '/pets/:petId')
tell(await app.listen({ host: '127.0.0.1', port: 0 }))
