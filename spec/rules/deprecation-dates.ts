import { type JsonObject, toObject } from '../../scripts/pipeline/description.ts'
import type { Context, Rule } from './rule.ts'
import { createValueCheck } from './valid-value.ts'

const day = { type: 'string', format: 'date' }

/** Requires the dates of deprecations to be days of the calendar. */
export const deprecationDates: Rule = () => {
  const errorOf = createValueCheck()

  function check(node: JsonObject, context: Context): void {
    // What names properties or headers may name one so.
    if (/^(?:properties|headers)$/.test(context.key)) return
    for (const key of ['x-deprecated-at', 'x-sunset']) {
      const value = toObject(node)[key]
      if (value === undefined || errorOf(day, value, context) === undefined) continue
      const message = 'Give a day of the calendar, such as "2030-12-05".'
      context.report({ message, location: context.location.child(key) })
    }
  }
  return { any: check, ref: check }
}
