import { buffer } from 'node:stream/consumers'
import type { UploadedFile } from '../contract/content.ts'
import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

async function describe(file: UploadedFile) {
  const { name, mediaType, size } = file
  return { name, mediaType, size, read: (await buffer(file.stream())).length }
}

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    async addAlbum({ body }, { respond }) {
      const { cover, photos = [], ...others } = body
      const described = await Promise.all(photos.map(describe))
      return respond(200, { ...others, cover: await describe(cover), photos: described })
    },
  }
}
