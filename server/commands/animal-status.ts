import { operations } from '../../generated/operations.ts'
import { answerColumns } from '../bulk/columns.ts'
import { readServedDescription } from '../served-description.ts'
import type { Pet } from '../store/pet-store.ts'
import { UsageError } from './usage-error.ts'

type Status = NonNullable<Pet['status']>

/** A status as it is typed; one that the contract does not know is a wrong use. */
export function toStatus(typed: string): Status {
  const columns = answerColumns(readServedDescription(), operations.createPet)
  const values = columns.find(({ name }) => name === 'status')?.values ?? []
  const isStatus = (value: string): value is Status => values.includes(value)
  if (isStatus(typed)) return typed
  throw new UsageError(`Name a status: --status ${values.join(' or --status ')}.`)
}
