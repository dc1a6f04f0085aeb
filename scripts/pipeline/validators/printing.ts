import type { JsonObject } from '../description.ts'
import type { ModuleText } from './module-text.ts'

/** What a schema is for. */
export type Direction = 'request' | 'answer'

/** What the conditions of a schema are printed with. */
export interface Printing {
  /** The description. */
  readonly root: JsonObject
  readonly direction: Direction
  readonly module: ModuleText
  /** Within a choice the validator fills no defaults in. */
  readonly isChoice: boolean
  /** The name of the function of a schema below. */
  readonly print: (schema: unknown) => string
  /** The same, of a branch of a choice. */
  readonly printChoice: (schema: unknown) => string
  readonly printReference: (reference: string) => string
}

const outOfPlace = { request: 'readOnly', answer: 'writeOnly' } as const

/** Whether a field is for the other direction only: the validator refuses it where it is there. */
export function isOutOfPlace(schema: JsonObject, direction: Direction): boolean {
  return schema[outOfPlace[direction]] === true
}
