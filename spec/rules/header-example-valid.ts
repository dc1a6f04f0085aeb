import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, toObject } from '../../scripts/pipeline/description.ts'
import type { Context, Rule } from './rule.ts'

/** The examples of a header fit its schema; Redocly's own rules look at parameters and bodies only. */
export const headerExampleValid: Rule = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

  return {
    Header(header, context) {
      const isValid = ajv.compile(toObject(inline(header['schema'], context)))
      for (const [path, value] of readExamples(header, context)) {
        if (isValid(value)) continue
        const message = `The example does not fit the header's schema: it ${ajv.errorsText(isValid.errors, { dataVar: '' }).trim()}.`
        context.report({ message, location: context.location.child(path) })
      }
    },
  }
}

function readExamples(header: object, context: Context): (readonly [readonly string[], unknown])[] {
  const { example, examples } = toObject(header)
  const named = Object.entries(toObject(examples)).map(
    ([name, value]) => [['examples', name], toObject(inline(value, context))['value']] as const,
  )
  return example === undefined ? named : [[['example'], example] as const, ...named]
}

/** A value with every `$ref` in it replaced by what it refers to. */
export function inline(value: unknown, context: Context): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, context))
  if (!isObject(value)) return value
  if (typeof value['$ref'] === 'string') return inline(context.resolve(value).node, context)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, inline(item, context)]),
  )
}
