import { client, type Handler } from './api.ts'
import type { Account, AccountInput, Login } from './generated/calls.ts'

const account = await client.addAccount({ name: 'a', password: 'b' })
export const id: number = account.id
// A client may send back what it got.
client.addAccount({ ...account, password: 'b' })
client.addGroup({ owner: { name: 'a', password: 'b' }, members: [] })
export const owner: number = (await client.addGroup({ owner: { name: 'a', password: 'b' } })).owner
  .id
const login: Login = { name: 'a', password: 'b' }
client.logIn(login)
const key = await client.addKey({ secret: 'a', name: 'b' })
export const keyId: number = key.id
client.addKey({ ...key, secret: 'a', code: 'b' })
export const device: string = (await client.getKeyInput()).device

export const handler: Handler<'addAccount'> = ({ body }, { respond }) => {
  const { password, ...others } = body
  return respond(200, { ...others, id: password.length })
}
export const input: AccountInput = { name: 'a', password: 'b' }
export const output: Account = { id: 1, name: 'a' }

// @ts-expect-error a new account has a password
client.addAccount({ name: 'a' })
// @ts-expect-error a response has no password
account.password
// @ts-expect-error a response has an id
export const without: Handler<'addAccount'> = (_input, { respond }) => respond(200, { name: 'a' })
export const leaking: Handler<'addAccount'> = ({ body }, { respond }) =>
  // @ts-expect-error a response has no password
  respond(200, { ...body, id: 1 })
export const inside: Handler<'addGroup'> = (_input, { respond }) =>
  // @ts-expect-error nor has an account in a response
  respond(200, { id: 1, owner: { id: 1, name: 'a', password: 'b' } })
// @ts-expect-error a new key has a secret
client.addKey({ name: 'b' })
// @ts-expect-error a response has no secret
key.secret
