import { client, type Handler } from './api.ts'
import type { Constructor, Thing, ToString } from './generated/calls.ts'

export const thing = { hasOwnProperty: 'a', constructor: 'b', valueOf: 1, toString: 1 }
export const added: Promise<Thing> = client.addThing(thing)
export const text: ToString = { valueOf: 'a' }
export const name: Constructor = 'a'
export const handler: Handler<'addThing'> = (_input, { respond }) => respond(200, thing)

// @ts-expect-error it is a text
client.addThing({ ...thing, hasOwnProperty: 1 })
// @ts-expect-error it is a number
client.addThing({ ...thing, toString: 'a' })
export const wrong: Handler<'addThing'> = (_input, { respond }) =>
  // @ts-expect-error it is a text
  respond(200, { ...thing, constructor: 1 })
