// A peer of the service: Express as it comes, which validates nothing.
import { createServer } from 'node:http'
import express from 'express'
import { addRefusals, addRoutes, admitted } from './express-routes.ts'
import { listen } from './listening.ts'
import { invalid, openWork } from './work.ts'

const work = await openWork()
const app = express()
app.use(admitted(work), express.json())
addRoutes(app, work, (request, { operationId }) => {
  switch (operationId) {
    case 'listPets':
      return { query: { ...request.query, limit: Number(request.query['limit'] ?? 20) } }
    case 'getPet':
      return { path: { petId: Number(request.params['petId']) } }
    case 'createPet':
      return { headers: { 'Idempotency-Key': request.get('Idempotency-Key') }, body: request.body }
  }
})
addRefusals(app, work, () => invalid('/body', 'is no JSON'))
listen(createServer(app))
