// What a start of the service is compared with: Express and one response. It is JavaScript, so that it
// pays for nothing that an empty application does not need.
import express from 'express'

const app = express()
app.get('/', (_request, response) => {
  response.json({})
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listens at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
})
