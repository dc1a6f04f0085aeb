import { afterAll } from 'vitest'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { createPageCursors } from '../../../server/contract/page-cursor.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'
import { testConformance } from '../../helpers/conformance/conformance.ts'

const page = {
  type: 'object',
  required: ['items'],
  properties: {
    items: { type: 'array', items: { type: 'object' } },
    nextCursor: { type: ['string', 'null'] },
  },
}
const description = {
  openapi: '3.1.0',
  info: { title: 'Paged', version: '1.0.0' },
  security: [],
  servers: [{ url: 'https://x.example.com/v1' }],
  paths: {
    '/appointments': {
      get: {
        operationId: 'listAppointments',
        parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: { description: 'A page.', content: { 'application/json': { schema: page } } },
        },
      },
    },
  },
}
const pagination = {
  style: 'cursor',
  items: '/items',
  cursorParam: 'cursor',
  nextCursor: '/nextCursor',
}
const serviceFile = { operations: { 'GET /appointments': { pagination } } }
const bundled = await bundleBesidePlatform(description, serviceFile, afterAll)

const cursors = createPageCursors<Date>(new Uint8Array(32))
const day = 86_400_000

/** Responds with pages of one appointment, whose cursors are signed. */
const listAppointments: CallableHandler = ({ query }, { respondError }) => {
  const { cursor } = query
  const after = typeof cursor === 'string' ? cursors.read(cursor, '') : new Date(0)
  if (after === undefined) {
    const details = [{ path: '/query/cursor', message: 'must be a cursor of this list' }]
    return respondError(400, 'invalid_request', 'The cursor is not valid here.', { details })
  }

  const at = new Date(after.getTime() + day)
  const nextCursor = at.getTime() < 3 * day ? cursors.write(at, '') : null
  return { status: 200, headers: {}, body: { items: [{ at }], nextCursor } }
}

testConformance(
  toApi(
    bundled,
    () => listAppointments,
    () => ({}),
  ),
)
