import { toObject } from '../../../server/description/json.ts'
import { resolve } from '../resolved.ts'
import type { Context, Rule } from '../rule.ts'
import { createValueCheck } from './valid-value.ts'

/** Requires the examples of a header to be valid; Redocly's own rules check parameters and bodies only. */
export const headerExampleValid: Rule = () => {
  const errorOf = createValueCheck()

  return {
    Header(header, context) {
      for (const [path, value] of readExamples(header, context)) {
        const error = errorOf(header['schema'], value, context)
        if (error === undefined) {
          continue
        }
        const message = `The example is not valid against the header's schema: it ${error}.`
        context.report({ message, location: context.location.child(path) })
      }
    },
  }
}

function readExamples(header: object, context: Context): (readonly [readonly string[], unknown])[] {
  const { example, examples } = toObject(header)
  const named = Object.entries(toObject(examples)).map(([name, value]) => {
    const followed = resolve(value, context.location, context)
    return [['examples', name], followed?.node['value']] as const
  })
  return example === undefined ? named : [[['example'], example] as const, ...named]
}
