import { client, type Handler } from './api.ts'
import type { Derived, Strict } from './generated/calls.ts'

export const strict: Strict = { id: 'a', name: 'b' }
export const id = (one: Strict): string => one.id
export const derived: Derived = { size: 1 }
client.addDeep({ id: 'a', name: null })
client.addEither({ mail: 'a' })
client.addEither({ phone: 'a' })
client.addFound({ id: 'a', place: 'b' })
client.addCoded({ id: 'a', code: 1 })
export const code = client.addCoded({ id: 'a', code: 1 }).then((coded): number => coded.code)
export const handler: Handler<'addStrict'> = ({ body }, { respond }) =>
  respond(200, { id: body.id.trim() })

// @ts-expect-error an id is required
client.addStrict({ name: 'b' })
// @ts-expect-error an id is a text
client.addStrict({ id: 1 })
// @ts-expect-error a name is required
client.addDeep({ id: 'a' })
// @ts-expect-error a name may be null, but no number
client.addDeep({ id: 'a', name: 1 })
// @ts-expect-error there is no colour
client.addDerived({ size: 1, colour: 'red' })
// @ts-expect-error one of both is required
client.addEither({})
// @ts-expect-error it is a text
client.addEither({ mail: 1 })
// @ts-expect-error an id is required
client.addFound({ place: 'b' })
// @ts-expect-error an id is required
client.addCoded({ code: 1 })
// @ts-expect-error an id is required
export const wrong: Handler<'addStrict'> = (_input, { respond }) => respond(200, { name: 'b' })
