import { client, type Handler } from './api.ts'

export const page: string = (await client.addPage({ own: 'a' })).own
export const promise: string = (await client.addPromise({ own: 'a' })).own
export const methods: string = (await client.addMethods({ own: 'a' })).own
export const result: string = (await client.addCallResult({ own: 'a' })).own
export const array: string = (await client.addArray({ own: 'a' })).own
export const key: string = (await client.addKey({ own: 'a' })).own
export const pages: (string | undefined)[] = [(await client.listPages())[0]?.own]
export const handler: Handler<'addPromise'> = ({ body }, { respond }) => respond(200, body)

// @ts-expect-error it is a text
client.addRecord({ own: 1 })
// @ts-expect-error it is a text
client.addNonNullable({ own: 1 })
// @ts-expect-error it is a text
export const wrong: Handler<'addPage'> = (_input, { respond }) => respond(200, { own: 1 })
