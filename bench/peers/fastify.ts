// A peer of the service: Fastify. Its schemas come from the description; it validates requests and
// serializes responses, which its hook `preSerialization` validates first.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import description from '../../generated/openapi.json' with { type: 'json' }
import { basePath, operations } from '../../generated/operations.ts'
import { invalidRequest } from '../../server/contract/errors.ts'
import { type Call, type OperationId, openWork, type PeerResponse } from './work.ts'

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined
  }
  interface FastifyContextConfig {
    operationId?: OperationId
    isResponse?: ValidateFunction
  }
}

const work = await openWork()
const options = { strict: false, useDefaults: true, formats: { int64: true } } as const
const shared = { $id: 'openapi', ...description }
const exact = new Ajv2020(options).addSchema(shared)
const coercing = new Ajv2020({ ...options, coerceTypes: 'array' }).addSchema(shared)
const app = fastify({ bodyLimit: 100_000 }).addSchema(shared)

const { Limit, Cursor, IdempotencyKey } = description.components.parameters
const schemas = {
  listPets: {
    querystring: {
      type: 'object',
      properties: { limit: Limit.schema, status: schemaOf('PetStatus'), cursor: Cursor.schema },
      additionalProperties: false,
    },
    response: { 200: schemaOf('Pets') },
  },
  createPet: {
    headers: { type: 'object', properties: { 'idempotency-key': IdempotencyKey.schema } },
    body: schemaOf('NewPet'),
    response: { 201: schemaOf('Pet') },
  },
  getPet: {
    params: { type: 'object', properties: { petId: schemaOf('Id') }, required: ['petId'] },
    response: { 200: schemaOf('Pet') },
  },
}

function schemaOf(name: keyof typeof description.components.schemas): object {
  return { $ref: `openapi#/components/schemas/${name}` }
}

app.setValidatorCompiler(({ schema, httpPart }) =>
  (httpPart === 'body' ? exact : coercing).compile(schema),
)
app.decorateRequest('call', undefined)

app.addHook('onRequest', async (request, reply) => {
  const { operationId } = request.routeOptions.config
  if (operationId === undefined) return
  const call = await work.open(request.raw, reply.raw, operationId)
  request.call = call
  if (call.error !== undefined) return send(reply, work.reject(call))
})

app.addHook('preSerialization', (request, reply, payload, done) => {
  const { isResponse } = request.routeOptions.config
  if (reply.statusCode >= 400 || isResponse?.(payload)) done(null, payload)
  else done(new Error(`The response breaks its schema: ${exact.errorsText(isResponse?.errors)}`))
})

app.setErrorHandler((error: Error & { validation?: unknown }, request, reply) => {
  const { call } = request
  if (call === undefined) return reply.code(500).send()
  const violations = [{ path: '/', message: error.message }]
  const isInvalid = error.validation !== undefined
  return send(reply, work.reject(call, isInvalid ? invalidRequest(violations) : error))
})

function send(reply: FastifyReply, { status, headers, body }: PeerResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { call, query, params: path, body } = request
  if (call === undefined) throw new Error('The request was not authenticated.')
  const headers = { 'Idempotency-Key': request.headers['idempotency-key'] }
  return send(reply, await work.respond(call, { query, path, headers, body }))
}

for (const operationId of ['listPets', 'createPet', 'getPet'] as const) {
  const schema = schemas[operationId]
  const { method, path } = operations[operationId]
  const url = basePath + path.replaceAll(/\{(\w+)\}/g, ':$1')
  const [response = {}] = Object.values<object>(schema.response)
  const config = { operationId, isResponse: exact.compile(response) }
  app.route({ method, url, schema, config, handler: handle })
}

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
