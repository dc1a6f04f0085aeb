import type { Note, Part } from '../client/index.ts'

export const note: Note = { form: 'plain', text: 'a' }
export const part: Part = { kind: 'bolt', length: 1 }
export const size = (given: Part): number => (given.kind === 'bolt' ? given.length : given.width)
// @ts-expect-error
export const wrong: Note = { form: 'plain', html: 'a' }
