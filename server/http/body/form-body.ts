import { invalidRequest } from '../../contract/errors.ts'
import { SentForm } from '../../contract/form-values.ts'
import { queryPairs } from '../../contract/parameters.ts'
import { decodeText } from './text-body.ts'

/** The most fields of a form. */
export const maxFields = 1_000

/** Returns the fields of a body of `application/x-www-form-urlencoded`. */
export function readForm(bytes: Uint8Array): SentForm {
  const text = decodeText(bytes)
  if (text.split('&', maxFields + 1).length > maxFields) {
    throw tooManyFields()
  }
  return new SentForm(queryPairs(text))
}

/** Returns the error of a form that has too many fields. */
export function tooManyFields() {
  return invalidRequest([{ path: '/body', message: `must have at most ${maxFields} fields` }])
}
