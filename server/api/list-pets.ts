import type { Handler } from '../contract/handler.ts'
import type { PageCursors } from '../contract/page-cursor.ts'
import type { PetStore } from './pet-store.ts'

/** Returns the handler that responds with a page of pets, and a link to the next page if there is one. */
export function listPets(pets: PetStore, cursors: PageCursors): Handler<'listPets'> {
  return async ({ query: { limit, status, cursor } }, { hrefWith, respond, respondError }) => {
    const filter = status ?? ''
    const after = cursor === undefined ? 0 : cursors.read(cursor, filter)
    if (after === undefined) {
      const message = 'must be a cursor of this list and of this status'
      const details = [{ path: '/query/cursor', message }]
      return respondError(400, 'invalid_request', 'The cursor is not valid here.', { details })
    }

    // One more than asked for shows whether there is a next page.
    const pagePlusOne = await pets.page(after, limit + 1, status)
    const page = pagePlusOne.slice(0, limit)
    const last = page.at(-1)
    if (pagePlusOne.length <= limit || last === undefined) {
      return respond(200, page)
    }

    const next = hrefWith({ limit, status, cursor: cursors.write(last.id, filter) })
    return respond(200, page, { Link: `<${next}>; rel="next"` })
  }
}
