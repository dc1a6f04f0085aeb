import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../server/description/json.ts'
import type { Rule } from '../rule.ts'

/** The keyword for a list of values that is not final, as Zalando's guidelines have it (rule 112). */
export const extensibleKey = 'x-extensible-enum'

const note =
  'More values may be added in a minor version: treat one that you do not know like a missing one.'

/**
 * Completes a schema with a list of values that is not final, in place: the service validates against the
 * list as it is, and people read that it may grow.
 */
export function completeEnum(schema: JsonObject): void {
  const values = schema[extensibleKey]
  if (!Array.isArray(values)) {
    return
  }

  const text = typeof schema['description'] === 'string' ? schema['description'].trimEnd() : ''
  const description = text.includes(note) ? text : `${text} ${note}`.trim()
  Object.assign(schema, { enum: schema['enum'] ?? values, description })
}

/** Requires a list of values that is not final to be a list of texts, which `enum` beside it repeats. */
export const extensibleEnum: Rule = () => ({
  Schema(schema, { location, report }) {
    const values = schema[extensibleKey]
    if (values === undefined) {
      return
    }

    const at = location.child(extensibleKey)
    const isText = (value: unknown) => typeof value === 'string' || value === null
    const areTexts = Array.isArray(values) && values.length > 0 && values.every(isText)
    if (!areTexts) {
      report({ message: 'List the values that there are now, each a text.', location: at })
    } else if (new Set(values).size < values.length) {
      report({ message: 'List each value once.', location: at })
    } else if (!isDeepStrictEqual(schema['enum'], values)) {
      report({ message: 'Remove `enum`, or list the same values in it.', location: at })
    }
  },
})
