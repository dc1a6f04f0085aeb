import fc from 'fast-check'

/** What is known of a format: values that have it, and how to tell. */
interface Format {
  readonly values: fc.Arbitrary<string>
  readonly isOne: (text: string) => boolean
}

const instants = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
})

/** The formats of strings that values can be made of. */
export const formats: Readonly<Record<string, Format>> = {
  date: {
    values: instants.map((date) => date.toISOString().slice(0, 'yyyy-mm-dd'.length)),
    isOne: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  'date-time': {
    values: instants.map((date) => date.toISOString()),
    isOne: (text) => /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text),
  },
  uuid: {
    values: fc.uuid(),
    isOne: (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text),
  },
}

/** Strings that have not a format. */
export function misformatted(format: string): fc.Arbitrary<string> {
  const { values, isOne } = formats[format] ?? { values: fc.string(), isOne: () => true }
  const spoilt = values.map((text) => `${text.slice(0, -1)}_`)
  return fc.oneof(spoilt, fc.constantFrom('x', 'today', '-')).filter((text) => !isOne(text))
}
