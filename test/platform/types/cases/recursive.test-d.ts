import { client, type Handler } from './api.ts'
import type { Json, Loop, Tree } from './generated/calls.ts'

export const json: Json = { a: [1, null, { b: [[]] }] }
export const tree: Tree = ['a', ['b', ['c']]]
export const loop: Loop = { me: { all: [{}] } }
export const given: Promise<Json> = client.addJson([json])
export const handler: Handler<'addTree'> = ({ body }, { respond }) => respond(200, [body, 'a'])

// @ts-expect-error a function is no JSON value
client.addJson({ a: [() => 1] })
// @ts-expect-error its leaves are texts
client.addTree(['a', ['b', [1]]])
// @ts-expect-error its leaves are texts
export const wrong: Handler<'addTree'> = (_input, { respond }) => respond(200, [['a', 1]])
