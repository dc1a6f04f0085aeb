// A peer of the service: Express as it comes, with express-openapi-validator mounted as its README
// does.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import express from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { addRefusals, addRoutes, admitted } from './express-routes.ts'
import { listen } from './listening.ts'
import { invalid, openWork } from './work.ts'

const work = await openWork()
const spec = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
const app = express()
app.use(admitted(work), express.json(), express.text(), express.urlencoded({ extended: false }))
app.use('/spec', express.static(spec))
app.use(
  OpenApiValidator.middleware({
    apiSpec: spec,
    validateRequests: true,
    validateResponses: true,
  }),
)
addRoutes(app, work, (request, { operationId }) => {
  const { query, params, body } = request
  if (operationId !== 'createPet') return { query, path: params }
  return { headers: { 'Idempotency-Key': request.get('Idempotency-Key') }, body }
})
addRefusals(app, work, (thrown) => {
  if (!(thrown instanceof Error) || !('status' in thrown)) return thrown
  return Number(thrown.status) < 500 ? invalid('/', thrown.message) : thrown
})
listen(createServer(app))
