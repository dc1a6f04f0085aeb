import type { Json } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import type { ValuesOf } from './values.ts'

/** What a schema within another one is broken with. */
export interface Within {
  readonly valuesOf: ValuesOf
  readonly breaksOf: (schema: Json | undefined) => Break[]
}
