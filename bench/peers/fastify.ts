// A peer of the service: Fastify. Its schemas come from the description; it validates requests and
// serializes responses, which its hook `preSerialization` validates first.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { basePath, operations } from '../../generated/operations.ts'
import { describedOperation } from '../../server/contract/contract.ts'
import { invalidRequest } from '../../server/contract/errors.ts'
import type { MediaType, Parameter } from '../../server/description/description.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import { readServedApi } from '../../server/served-api.ts'
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
const document = readServedApi().description
const description = readBundled(document)
const shared = { $id: 'openapi', ...document }
const exact = new Ajv2020(options).addSchema(shared)
const coercing = new Ajv2020({ ...options, coerceTypes: 'array' }).addSchema(shared)
const app = fastify({ bodyLimit: 100_000 }).addSchema(shared)

/** Returns the schemas of an operation as Fastify takes them, by the part of the request or the status. */
function schemasOf(operationId: OperationId) {
  const operation = operations[operationId]
  const { parameters, body, responses } = describedOperation(description, operation)
  const inLocation = (location: string) => parameters.filter((one) => one.location === location)
  const success = responses.find(({ status }) => status.startsWith('2'))
  return {
    params: objectOf(inLocation('path')),
    querystring: { ...objectOf(inLocation('query')), additionalProperties: false },
    headers: objectOf(inLocation('header')),
    ...(body !== undefined && { body: schemaOf(body.content[0]) }),
    response: { [success?.status ?? '']: schemaOf(success?.content[0]) },
  }
}

/** Returns the schema of an object with some parameters. */
function objectOf(parameters: readonly Parameter[]): object {
  // Fastify takes the names of header fields in lower case.
  const nameOf = ({ location, name }: Parameter) =>
    location === 'header' ? name.toLowerCase() : name
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((one) => [nameOf(one), schemaOf(one)])),
    required: parameters.filter(({ isRequired }) => isRequired).map(nameOf),
  }
}

/** Returns a schema, its references into the description that every schema shares. */
function schemaOf(holder: Parameter | MediaType | undefined): object {
  const text = JSON.stringify(holder?.schema?.value ?? {}, (name, value: unknown) =>
    name === '$ref' && typeof value === 'string' ? `openapi${value}` : value,
  )
  return JSON.parse(text)
}

app.setValidatorCompiler(({ schema, httpPart }) =>
  (httpPart === 'body' ? exact : coercing).compile(schema),
)
app.decorateRequest('call', undefined)

app.addHook('onRequest', async (request, reply) => {
  const { operationId } = request.routeOptions.config
  if (operationId === undefined) {
    return
  }
  const call = await work.open(request.raw, reply.raw, operationId)
  request.call = call
  if (call.error !== undefined) {
    return send(reply, work.reject(call))
  }
})

app.addHook('preSerialization', (request, reply, payload, done) => {
  const { isResponse } = request.routeOptions.config
  if (reply.statusCode >= 400 || isResponse?.(payload)) {
    done(null, payload)
  } else {
    done(new Error(`The response breaks its schema: ${exact.errorsText(isResponse?.errors)}`))
  }
})

app.setErrorHandler((error: Error & { validation?: unknown }, request, reply) => {
  const { call } = request
  if (call === undefined) {
    return reply.code(500).send()
  }
  const violations = [{ path: '/', message: error.message }]
  const isInvalid = error.validation !== undefined
  return send(reply, work.reject(call, isInvalid ? invalidRequest(violations) : error))
})

function send(reply: FastifyReply, { status, headers, body }: PeerResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { call, query, params: path, body } = request
  if (call === undefined) {
    throw new Error('The request was not authenticated.')
  }
  const headers = { 'Idempotency-Key': request.headers['idempotency-key'] }
  return send(reply, await work.respond(call, { query, path, headers, body }))
}

for (const operationId of ['listPets', 'createPet', 'getPet'] as const) {
  const schema = schemasOf(operationId)
  const { method, path } = operations[operationId]
  const url = basePath + path.replaceAll(/\{(\w+)\}/g, ':$1')
  const [response = {}] = Object.values(schema.response)
  const config = { operationId, isResponse: exact.compile(response) }
  app.route({ method, url, schema, config, handler: handle })
}

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
