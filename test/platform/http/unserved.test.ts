import { expect, test } from 'vitest'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'
import { startServiceOf } from '../../helpers/service.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'

const ok = { 200: { description: 'OK', content: { 'application/json': {} } } }
const file = { 'multipart/form-data': { schema: { type: 'object' } } }
const description = {
  openapi: '3.2.0',
  info: { title: 'A', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  paths: {
    '/files': {
      get: { operationId: 'listFiles', responses: ok },
      post: { operationId: 'addFile', requestBody: { content: file }, responses: ok },
      query: { operationId: 'search', responses: ok },
    },
  },
  components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
}

test('an operation that is not served is 501 with the reason, after authentication, and stays in the contract', async () => {
  const bundled = await bundleBesidePlatform(description)
  const api = toApi(bundled, () => ({ status: 200, body: [] }))
  const { origin, apiKey, ask } = await startServiceOf(api)
  expect(await ask('/v1/files')).toMatchObject({ status: 200 })
  expect(await ask('/v1/files', { method: 'POST', key: '' })).toMatchObject({ status: 401 })

  const reasons = {
    POST: 'the service does not read request bodies of multipart/form-data',
    QUERY: 'the service does not serve the method QUERY',
  }
  for (const [method, reason] of Object.entries(reasons)) {
    const headers = { Authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${origin}/v1/files`, { method, body: '{}', headers })
    expect(response.status).toBe(501)
    expect(await response.json()).toEqual({
      status: 501,
      code: 'not_implemented',
      message: `The service does not serve this operation: ${reason}.`,
    })
  }
  const options = await ask('/v1/files', { method: 'OPTIONS' })
  expect(options).toMatchObject({ status: 204, allow: 'GET, HEAD, OPTIONS, POST, QUERY' })

  const { paths }: UncheckedJson = await (await fetch(`${origin}/openapi.json`)).json()
  expect(paths['/files'].post.requestBody).toEqual({ content: file })
  expect(paths['/files'].post.responses).toHaveProperty('501')
  expect(paths['/files'].get.responses).not.toHaveProperty('501')
})
