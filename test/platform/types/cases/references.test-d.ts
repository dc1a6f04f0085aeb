import { client, type Handler } from './api.ts'

export const b: number | undefined = (await client.getB({ q: 1 })).x
export const c: number | undefined = (await client.getC()).self?.self?.x
export const d: string | undefined = (await client.getD()).y
export const e: number | undefined = (await client.getE('a')).list?.[0]?.x
export const users: (string | undefined)[] = (await client.listUsers()).map(({ a }) => a)
export const handler: Handler<'getC'> = (_input, { respond }) => respond(200, { x: 1, self: {} })

// @ts-expect-error it is a number
client.getB({ q: 'a' })
// @ts-expect-error it is a number
export const text: string = (await client.getC()).x
// @ts-expect-error there is no z
export const z = (await client.getD()).z
// @ts-expect-error a user has a text
export const wrong: Handler<'listUsers'> = (_input, { respond }) => respond(200, [{ a: 1 }])
