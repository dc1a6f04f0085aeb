import type { JsonObject } from '../../../scripts/pipeline/description.ts'
import type { Description } from '../../../server/contract/description/description.ts'
import type { Operation } from '../../../server/contract/description/operation.ts'
import type { Validators } from '../../../server/contract/plain/validators.ts'

/** A description as it is served, with all that is made of it. */
export interface Served {
  readonly description: Description & JsonObject
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  readonly validators: Validators
}
