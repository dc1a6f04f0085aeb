import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { UploadedFile } from '../contract/content.ts'
import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function describe({ name = '', mediaType, stream }: UploadedFile) {
  const bytes = await buffer(stream())
  return { name, type: mediaType, size: bytes.length, sha256: digest(bytes) }
}

/** Counts from the event after an `id`; a connection ends after three events, so that clients reconnect. */
async function* count(after: number, last: number) {
  for (let n = after + 1; n <= Math.min(last, after + 3); n++) {
    yield { id: `${n}`, retry: 50, data: { n } }
  }
}

/** Returns the number of an event by its id; 0 without one, and if the id is no whole number. */
function numberOf(id = ''): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : 0
}

export function createHandlers(_options: HandlerOptions): Handlers {
  const images = new Map<string, Uint8Array>()
  return {
    async putImage({ path: { name }, mediaType, body }, { respond }) {
      const bytes = await buffer(body)
      images.set(name, bytes)
      return respond(200, { type: mediaType, size: bytes.length, sha256: digest(bytes) })
    },
    getImage({ path: { name } }, { respond }) {
      const bytes = images.get(name)
      return bytes === undefined ? respond(404) : respond(200, bytes)
    },
    async addAlbum({ body: { cover, pages = [], ...fields } }, { respond }) {
      const files = await Promise.all(pages.map(describe))
      return respond(200, { ...fields, cover: await describe(cover), pages: files })
    },
    addNote: ({ body }, { respond }) => respond(200, body),
    watchTicks: ({ query }, { respond, lastEventId }) =>
      respond(200, count(numberOf(lastEventId), query.last)),
  }
}
