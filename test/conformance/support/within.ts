import type { Json } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import type { Flatten } from './schema.ts'
import type { ValuesOf } from './values.ts'

/** What a schema within another one is broken with. */
export interface Within {
  readonly flatten: Flatten
  readonly valuesOf: ValuesOf
  readonly breaksOf: (schema: Json | undefined) => Break[]
}
