import type { OperationInput } from '../../server/contract/handler-input.ts'
import { client, type Handler } from './api.ts'
import type { operations } from './generated/openapi.d.ts'
import type { operations as rows } from './generated/operations.ts'

type Context<Id extends keyof operations & keyof typeof rows> = Parameters<Handler<Id>>[1]
const { respond: respondRange } = {} as Context<'getRanges'>
const { respond: respondDefault } = {} as Context<'getDefault'>
const { respond: respondRemoved } = {} as Context<'removeBook'>
const { respond: respondRedirect } = {} as Context<'redirect'>
const { respond: respondReset } = {} as Context<'reset'>
const { respond: respondTypes, acceptedMediaType } = {} as Context<'getTypes'>
const { respond: respondAny } = {} as Context<'getAny'>
const book = { title: 'Saws' }

// A status of a range has the response of that range, unless it is listed itself.
respondRange(200, book)
respondRange(299, book)
respondRange(202)
respondRange(204)
respondRange(404, { title: 'None.' })
// @ts-expect-error 202 has no content
respondRange(202, book)
// @ts-expect-error a book has a title
respondRange(201, {})
// @ts-expect-error 5XX is not declared
respondRange(500, { title: 'Broken.' })
// @ts-expect-error a problem has no author
respondRange(404, { title: 'None.', author: 'a' })

// A default stands for every status that is not listed.
respondDefault(200, [1, 'a'])
respondDefault(503, null)
respondRemoved(204)
respondRemoved(409, { title: 'Lent.', status: 409 })
// @ts-expect-error 204 has no content
respondRemoved(204, book)
// @ts-expect-error a problem has a title
respondRemoved(409, {})

respondRedirect(302, undefined, { Location: '/a' })
// @ts-expect-error the location is missing
respondRedirect(302)
// @ts-expect-error 303 is not declared
respondRedirect(303, undefined, { Location: '/a' })

respondReset(205)
respondReset(204)
// @ts-expect-error 204 never has content
respondReset(204, 'a')

// A header has the type of its schema, or of its content; the media type is one of those declared.
respondTypes(200, book, { 'X-Facts': { a: 1 } })
respondTypes(200, book, { 'X-Facts': {}, 'X-Sizes': [1], 'Content-Type': acceptedMediaType })
// @ts-expect-error X-Facts is missing
respondTypes(200, book)
// @ts-expect-error a has an integer
respondTypes(200, book, { 'X-Facts': { a: 'b' } })
// @ts-expect-error the service adds this header
respondTypes(200, book, { 'X-Facts': {}, 'x-request-id': 'a' })
// @ts-expect-error that media type is not declared
respondTypes(200, book, { 'X-Facts': {}, 'Content-Type': 'application/json' })
export const accepted: 'application/vnd.book.v1+json' | 'application/vnd.book.v2+json' =
  acceptedMediaType
respondAny(200, 7, { 'Content-Type': 'application/hal+json' })
// @ts-expect-error that is no media type
respondAny(200, 7, { 'Content-Type': 'json' })

// The media type of a body says which one was sent.
declare const input: OperationInput<operations, typeof rows, 'reset'>
export const none: undefined = input.mediaType === undefined ? input.body : undefined
export const integer: number | { title: string } | undefined = input.body

export const ofRange: { title: string } | undefined = await client.getRanges()
// @ts-expect-error 202 has no content
export const ofRangeAlone: { title: string } = await client.getRanges()
export const removed: undefined = await client.removeBook()
export const redirected: undefined = await client.redirect()
export const ofTypes: { title: string } | { name: string } = await client.getTypes()
export const reset: undefined = await client.reset(7)
export const any: number = await client.getAny()
