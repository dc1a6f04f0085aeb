import { client, type Handler } from './api.ts'
import type { MockResponses } from './client/testing.ts'

export const given: unknown = await client.putValue({ a: [1, null] })
export const sent: Handler<'getStatus'> = (_input, { respond }) => respond(200, { a: [1, null] })
export const none: Handler<'getOther'> = (_input, { respond }) => respond(200, null)
export const same: Handler<'putValue'> = ({ body }, { respond }) => respond(200, body)
export const mocked: MockResponses = { getStatus: { status: 200, body: { a: 1 } } }

// @ts-expect-error the type of the value is not known
export const text: string = await client.getStatus()
// @ts-expect-error a body is needed
client.putValue()
