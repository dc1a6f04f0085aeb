import { client, type Handler } from './api.ts'
import type { Part } from './generated/calls.ts'

const metadata = { colour: 'red', sizes: [1, 2] }
export const part: Part = { name: 'a', metadata, extra: metadata, maybe: metadata }
client.addPart({ name: 'a', labels: { size: 1, colour: 'red' }, maybe: null, none: {} })
client.addPart({ name: 'a', counts: { red: 1, blue: 2 }, size: { width: 1 }, any: null })
export const red = ({ counts }: Part): number | undefined => counts?.red
export const handler: Handler<'addPart'> = ({ body }, { respond }) =>
  respond(200, { ...body, metadata: { ...body.metadata, colour: 'red' } })

export const envelope: Handler<'getEnvelope'> = (_input, { respond }) =>
  respond(200, { data: { colour: 'red' } })
// @ts-expect-error it is an object
client.addPart({ name: 'a', metadata: 'red' })
// @ts-expect-error the type of its members is not known
export const colour: string = part.metadata?.['colour']
// @ts-expect-error it has no members
client.addPart({ name: 'a', none: { colour: 'red' } })
// @ts-expect-error other labels are texts
client.addPart({ name: 'a', labels: { colour: true } })
// @ts-expect-error counts are numbers
client.addPart({ name: 'a', counts: { red: 'many' } })
// @ts-expect-error it has a width alone
client.addPart({ name: 'a', size: { width: 1, height: 2 } })
export const wrong: Handler<'addPart'> = (_input, { respond }) =>
  // @ts-expect-error it is an object
  respond(200, { name: 'a', extra: 1 })
export const noData: Handler<'getEnvelope'> = (_input, { respond }) =>
  // @ts-expect-error it has data
  respond(200, {})
