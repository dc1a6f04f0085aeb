import { escapeToken } from '../description/pointer.ts'
import type { UploadedFile } from './content.ts'
import type { Detail } from './errors.ts'
import { addFields, LargeIntegers } from './large-integers.ts'
import type { Operation } from './operation.ts'
import { type LocationRows, readFormRows } from './parameter-rows.ts'
import type { Fits } from './parameter-value.ts'
import { decodeText, isKnown, type Pair, readLocation } from './parameters.ts'

/** A form as it was sent: its texts, and its files by the names of their fields. */
export class SentForm {
  readonly pairs: readonly Pair[]
  readonly files: ReadonlyMap<string, readonly UploadedFile[]>

  constructor(
    pairs: readonly Pair[],
    files: ReadonlyMap<string, readonly UploadedFile[]> = new Map(),
  ) {
    this.pairs = pairs
    this.files = files
  }
}

/** The value of a form, and its violations before a schema is applied. */
export interface FormValue {
  readonly body: unknown
  readonly details: readonly Detail[]
  /** Numbers that would be rounded; where a schema finds an error, that is reported instead. */
  readonly rounded: readonly Detail[]
  /** Its large integers; undefined if they are violations. */
  readonly large: LargeIntegers | undefined
}

/**
 * Returns a function that reads the fields of a form of a media type, as parameters of a query are read. A field
 * that is not declared is a text, on which the schema decides.
 */
export function createFormReader(
  { requestBody }: Operation,
  mediaType: string,
  fits: Fits,
): (form: SentForm) => FormValue {
  const fields = requestBody?.forms?.[mediaType] ?? {}
  const rows = readFormRows(fields, mediaType)
  const acceptsLarge = requestBody?.acceptsLargeIntegers === true

  return function readForm({ pairs, files }) {
    const details: Detail[] = []
    const rounded: Detail[] = []
    const large = acceptsLarge ? new LargeIntegers() : undefined
    const declaredPairs = pairs.filter(({ name }) => isKnown(rows, name))
    const undeclaredPairs = pairs.filter(({ name }) => !isKnown(rows, name))
    const repeatedParameters = 'reject'
    const reading = { details, rounded, large, fits, repeatedParameters } as const
    const values = readLocation(rows, declaredPairs, reading)

    const uploaded = [...files].map(([name, filesOfField]) => {
      return [name, fields[name]?.list === true ? filesOfField : filesOfField[0]] as const
    })
    const entries = [
      ...Object.entries(values),
      ...readOthers(rows, undeclaredPairs, details),
      ...uploaded,
    ]
    // Not by assignment: a name may be one that objects inherit.
    const body: Readonly<Record<string, unknown>> = Object.fromEntries(entries)
    if (large === undefined) {
      return { body, details, rounded, large }
    }

    addFields(large, body)
    // Whether they are violations is decided by their schemas.
    const paths = new Set(large.texts.map(({ path }) => path))
    return { body, details, rounded: rounded.filter(({ path }) => !paths.has(path)), large }
  }
}

/** Returns the fields that are not declared, each of which may be given once. */
function readOthers(rows: LocationRows, pairs: readonly Pair[], details: Detail[]) {
  const byName = Map.groupBy(pairs, ({ name, rawName }) => name ?? rawName)
  return Array.from(byName, ([name, pairsOfField]) => {
    const report = (message: string) => {
      details.push({ path: `/body/${escapeToken(name)}`, message })
    }
    const [first] = pairsOfField
    const text = first?.name === undefined ? undefined : decodeText(rows, first.text)
    if (text === undefined) {
      report('must be percent-encoded UTF-8')
    } else if (pairsOfField.length > 1) {
      report(`must be given once, not ${pairsOfField.length} times`)
    }
    return [name, text] as const
  })
}
