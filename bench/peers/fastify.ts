// A peer of the service: Fastify. Its schemas come from the description; requests are validated and
// responses serialized by it, and responses validated in its `preSerialization`, as its plugin does.
import { fileURLToPath } from 'node:url'
import { bundle, createConfig } from '@redocly/openapi-core'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { basePath, operations } from '../../generated/operations.ts'
import { type JsonObject, pointAt, toObject } from '../../scripts/pipeline/description.ts'
import {
  type OperationEntry,
  operationsOf,
  parametersOf,
} from '../../scripts/pipeline/operation-entries.ts'
import { invalidRequest } from '../../server/contract/errors.ts'
import { type Call, type OperationId, openWork, type PeerResponse } from './work.ts'

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined
  }
  interface FastifyContextConfig {
    operationId?: OperationId
    responses?: ReadonlyMap<number, ValidateFunction>
  }
}

const work = await openWork()
const options = { strict: false, useDefaults: true, formats: { int64: true } } as const
const exact = new Ajv2020(options)
const coercing = new Ajv2020({ ...options, coerceTypes: 'array' })
const schemas = await readRouteSchemas()
const app = fastify({ bodyLimit: 100_000 })

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
  const validate = request.routeOptions.config.responses?.get(reply.statusCode)
  if (validate === undefined || validate(payload)) done(null, payload)
  else done(new Error(`The response breaks its schema: ${exact.errorsText(validate.errors)}`))
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
  const schema = schemas.get(operationId)
  if (schema === undefined) throw new Error(`The description has no ${operationId}.`)
  const { method, path } = operations[operationId]
  const url = basePath + path.replaceAll(/\{(\w+)\}/g, ':$1')
  const validators = Object.entries(schema.response).map(
    ([status, content]) => [Number(status), exact.compile(content)] as const,
  )
  const config = { operationId, responses: new Map(validators) }
  app.route({ method, url, schema, config, handler: handle })
}

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))

/** Reads the schemas of each operation as Fastify takes them, with references replaced by their targets. */
async function readRouteSchemas() {
  const ref = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
  const config = await createConfig({})
  const { bundle: document } = await bundle({ ref, config, dereference: true })
  const root = toObject(document.parsed)
  return new Map(operationsOf(root).map((entry) => [entry.name, toRouteSchemas(root, entry)]))
}

function toRouteSchemas(root: JsonObject, entry: OperationEntry) {
  const all = parametersOf(root, entry)
  const { requestBody, responses } = entry.operation
  const schemaOf = (where: string) => {
    const own = all.filter((parameter) => parameter['in'] === where)
    const nameOf = (name: unknown) => (where === 'header' ? String(name).toLowerCase() : name)
    return {
      type: 'object',
      properties: Object.fromEntries(own.map(({ name, schema }) => [nameOf(name), schema])),
      required: own.filter(({ required }) => required === true).map(({ name }) => name),
      ...(where === 'query' && { additionalProperties: false }),
    }
  }
  const contentOf = (holder: unknown) => pointAt(holder, '#/content/application~1json/schema')
  const contents = Object.entries(toObject(responses)).map(
    ([status, response]) => [status, toObject(contentOf(response))] as const,
  )
  return {
    querystring: schemaOf('query'),
    params: schemaOf('path'),
    headers: schemaOf('header'),
    ...(requestBody !== undefined && { body: contentOf(requestBody) }),
    response: Object.fromEntries(contents),
  }
}
