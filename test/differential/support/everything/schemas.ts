import { composed } from './composed-schemas.ts'
import { defaults } from './default-schemas.ts'
import { directions } from './direction-schemas.ts'
import { leaves } from './leaf-schemas.ts'
import { recursive } from './recursive-schemas.ts'
import { values } from './value-schemas.ts'

/** Schemas for whatever is compiled, and for much of what is left in doubt. */
export const schemas = {
  ...leaves,
  ...values,
  ...composed,
  ...recursive,
  ...directions,
  ...defaults,
}
