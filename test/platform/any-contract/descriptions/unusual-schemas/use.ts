import type { Part, Strict } from '../client/index.ts'

export const part: Part = { name: 'a', hasOwnProperty: 'b', metadata: { colour: 'red' } }
export const strict: Strict = { id: 'a', name: 'b' }
// @ts-expect-error
export const wrong: Strict = { name: 'b' }
