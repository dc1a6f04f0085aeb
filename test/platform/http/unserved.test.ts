import { expect, test } from 'vitest'
import { toTypedDescription } from '../../../scripts/pipeline/types/typed-description.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'
import { startServiceOf } from '../../helpers/service.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'

const ok = { 200: { description: 'OK', content: { 'application/json': {} } } }
const wholeQuery = { name: 'q', in: 'querystring', content: { 'application/json': {} } }
const description = {
  openapi: '3.2.0',
  info: { title: 'A', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  paths: {
    '/files': {
      get: { operationId: 'listFiles', responses: ok },
      post: { operationId: 'addFile', parameters: [wholeQuery], responses: ok },
      additionalOperations: {
        COPY: { operationId: 'copyFiles', responses: ok },
        Copy: { operationId: 'neverSent', responses: ok },
      },
    },
  },
  components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
}

test('an operation that is not served is 501 with the reason, after authentication, and stays in the contract', async () => {
  const bundled = await bundleBesidePlatform(description)
  const api = toApi(bundled, () => () => ({ status: 200, body: [] }))
  const { origin, apiKey, ask } = await startServiceOf(api)
  expect(await ask('/v1/files')).toMatchObject({ status: 200 })
  expect(await ask('/v1/files', { method: 'POST', key: '' })).toMatchObject({ status: 401 })

  const reasons = {
    POST: 'the service does not read parameters in querystring, as the querystring parameter q has',
    COPY: 'the service does not serve the method COPY',
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
  expect(options).toMatchObject({ status: 204, allow: 'COPY, GET, HEAD, OPTIONS, POST' })

  const { paths }: UncheckedJson = await (await fetch(`${origin}/openapi.json`)).json()
  const { post, additionalOperations } = paths['/files']
  expect(post.parameters).toEqual([wholeQuery])
  expect(post.responses).toHaveProperty('501')
  expect(additionalOperations.COPY.responses).toHaveProperty('501')
  expect(paths['/files'].get.responses).not.toHaveProperty('501')
})

test('operations with a part on another host are 501, and no type is read from there', async () => {
  const onOtherHost = (part: string) => ({ $ref: `https://other.example/api.yaml#/${part}` })
  const none = { 204: { description: 'No content.' } }
  const content = { 'application/json': { schema: onOtherHost('components/schemas/Item') } }
  const paths = {
    '/local': { get: { operationId: 'getLocal', responses: none } },
    '/path': onOtherHost('paths/~1path'),
    '/schema': { get: { responses: { 200: { description: 'OK', content } } } },
    '/parameter': { get: { parameters: [onOtherHost('parameters/Page')], responses: none } },
    '/parameter-of-path': {
      parameters: [{ $ref: '#/components/parameters/Page' }],
      get: { responses: none },
    },
    '/response': { get: { responses: { 200: { $ref: '#/components/responses/Item' } } } },
    '/body': { get: { requestBody: onOtherHost('requestBodies/Item'), responses: none } },
    '/header': {
      get: {
        responses: { 204: { description: 'None.', headers: { 'X-A': onOtherHost('headers/A') } } },
      },
    },
  }
  const components = {
    ...description.components,
    parameters: { Page: onOtherHost('components/parameters/Page') },
    responses: { Item: onOtherHost('components/responses/Item') },
  }
  const bundled = await bundleBesidePlatform({ ...description, paths, components })
  const { ask } = await startServiceOf(toApi(bundled, () => () => ({ status: 204 })))

  expect(await ask('/v1/local')).toMatchObject({ status: 204 })
  expect(await ask('/v1/path')).toMatchObject({ status: 404 })
  for (const path of Object.keys(paths).slice(2)) {
    expect(await ask(`/v1${path}`)).toMatchObject({ status: 501 })
  }
  expect(JSON.stringify(toTypedDescription(bundled))).not.toContain('https://other.example')
})
