// A peer of the service: Express as it comes; with `--validator`, with express-openapi-validator
// mounted as its README does, which then validates requests and responses.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type Response } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { basePath } from '../../generated/operations.ts'
import { invalidRequest } from '../../server/contract/errors.ts'
import { type Call, listen, openWork, operationOf, type PeerResponse, type Values } from './work.ts'

const isValidated = process.argv.includes('--validator')
const work = await openWork()
const app = express()

app.use(async (request, response, next) => {
  const operationId = operationOf(request.method, request.path)
  if (operationId === undefined) {
    response.sendStatus(404)
    return
  }
  const call = await work.open(request, response, operationId)
  response.locals['call'] = call
  if (call.error === undefined) {
    next()
  } else {
    send(response, work.reject(call))
  }
})
app.use(express.json())
if (isValidated) {
  const apiSpec = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
  app.use(express.text(), express.urlencoded({ extended: false }))
  app.use('/spec', express.static(apiSpec))
  app.use(OpenApiValidator.middleware({ apiSpec, validateRequests: true, validateResponses: true }))
}
app.get(`${basePath}/pets`, handle).post(`${basePath}/pets`, handle)
app.get(`${basePath}/pets/:petId`, handle)
// Express knows an error handler by its four parameters.
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  const message = error instanceof Error ? error.message : String(error)
  const shown = status < 500 ? invalidRequest([{ path: '/', message }]) : error
  send(response, work.reject(response.locals['call'], shown))
})
await listen(createServer(app))

async function handle(request: Request, response: Response): Promise<void> {
  const call: Call = response.locals['call']
  send(response, await work.respond(call, isValidated ? validValues(request) : rawValues(request)))
}

/** Reads values that the validator has converted and completed with defaults. */
function validValues(request: Request): Values {
  const { query, params: path, body } = request
  return { query, path, headers: { 'Idempotency-Key': request.get('Idempotency-Key') }, body }
}

function rawValues(request: Request): Values {
  const { query, params } = request
  const path = { petId: Number(params['petId']) }
  return { ...validValues(request), query: { ...query, limit: Number(query['limit'] ?? 20) }, path }
}

function send(response: Response, { status, headers, body }: PeerResponse): void {
  response.status(status).set(headers).json(body)
}
