import type { JudgedApi, Node } from '../client/index.ts'

export const node: Node = { name: 'a', children: [{ name: 'b', byKey: { c: { name: 'c' } } }] }
// @ts-expect-error
export const wrong: Node = { name: 'a', children: [{}] }
export const value = (api: JudgedApi) => api.addValue({ a: ['b', { c: 'd' }] })
