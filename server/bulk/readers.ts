import { operations } from '../../generated/operations.ts'
import { createBodyChecks } from '../contract/body-checks.ts'
import { readServedDescription } from '../served-description.ts'
import { answerColumns, bodyColumns } from './columns.ts'
import { createCsvReader } from './csv-records.ts'
import type { Format } from './format.ts'
import { createNdjsonReader } from './ndjson-records.ts'
import type { ReadRecords } from './record.ts'

/**
 * Makes what reads the animals of a file, as the contract describes those that are sent to be
 * added. With `newIds` the fields that the service gives may be there, and are left out.
 */
export function createReader(
  format: Format,
  { newIds }: { readonly newIds: boolean },
): ReadRecords {
  const description = readServedDescription()
  const operation = operations.createPet
  const columns = bodyColumns(description, operation)
  const sent = new Set(columns.map(({ name }) => name))
  const answered = answerColumns(description, operation).map(({ name }) => name)
  const given = answered.filter((name) => !sent.has(name))
  const leftOut = new Set(newIds ? given : [])
  const checks = createBodyChecks({ description, operation }, leftOut)
  if (format === 'ndjson') return createNdjsonReader(checks)
  return createCsvReader(checks, { columns, given, leftOut })
}
