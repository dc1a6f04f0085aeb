import { expect, test } from 'vitest'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { respond } from '../../../server/contract/handler-response.ts'
import { toObject } from '../../../server/description/json.ts'
import { visit } from '../../helpers/browser/visit.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'
import { startServiceOf } from '../../helpers/service.ts'

const binary = { type: 'string', format: 'binary' }
const text = { type: 'string', minLength: 2 }
const fields = {
  title: text,
  place: { type: 'object', required: ['city'], properties: { city: text } },
  tags: { type: 'array', items: text },
  pages: { type: 'integer', minimum: 1 },
  cover: binary,
  photos: { type: 'array', items: binary, minItems: 1 },
}
const required = ['title', 'photos']
const album = { type: 'object', required, properties: fields }
const encoding = {
  photos: { contentType: 'image/png, image/jpeg' },
  cover: { contentType: 'image/*' },
}
const example = { title: 'Sea', photos: ['a.png'] }
const added = { description: 'Added.', content: { 'application/json': { schema: {} } } }

/** Returns an operation that receives a form. */
function upload(operationId: string, media: object) {
  const content = { 'multipart/form-data': { encoding, ...media } }
  return { operationId, requestBody: { required: true, content }, responses: { 201: added } }
}

const description = {
  openapi: '3.1.0',
  info: { title: 'Albums', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  paths: {
    '/albums': { post: upload('addAlbum', { schema: album }) },
    '/books': {
      post: upload('addBook', { schema: { allOf: [album, { properties: { shelf: text } }] } }),
    },
    '/books/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text, example: 'ab' }],
      put: upload('setBook', { schema: album, example }),
    },
  },
}

test.for([
  ['of a schema', 'addAlbum', 'text'],
  ['of a schema in parts', 'addBook', 'text'],
  ['with an example', 'setBook', 'Sea'],
] as const)(
  'a form of /docs %s is valid once a file is chosen, which is sent with its own media type',
  async ([, operationId, title], context) => {
    const received: unknown[] = []
    const handler: CallableHandler = (input) => {
      received.push(toObject(input)['body'])
      return respond(201, {})
    }
    const bundled = await bundleBesidePlatform(description)
    const api = toApi(
      bundled,
      () => handler,
      () => ({}),
    )
    const { origin } = await startServiceOf(api)
    const { page } = await visit(context)
    await page.goto(`${origin}/docs#operation/${operationId}`)
    const section = page.locator(`section[id$="/${operationId}"]`)
    await section.getByRole('button', { name: 'Test Request' }).click()
    const form = page.getByRole('dialog')

    const choosing = page.waitForEvent('filechooser')
    const position = Object.keys(fields).indexOf('photos')
    await form.getByRole('button', { name: 'Select File' }).nth(position).click()
    const photo = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('abc') }
    await (await choosing).setFiles(photo)

    const responding = page.waitForResponse((response) => response.url().includes('/v1/'))
    await form.getByRole('button', { name: 'Send' }).first().click()
    const response = await responding
    expect([response.status(), await response.text()]).toEqual([201, '{}'])
    const file = { name: 'a.png', mediaType: 'image/png', size: 3 }
    expect(received).toEqual([{ title, photos: [expect.objectContaining(file)] }])
  },
)
