import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Context, Rule } from '../rule.ts'

// The service serves only what Ajv accepts with these (`server/contract/ajv.ts`).
const { formats } = addFormats.default(new Ajv2020())
const names = Object.keys(formats)
const enforced = new Set(names.filter((name) => isEnforced(formats[name])))

/** Rejects formats that the service does not enforce: any value would pass. */
export const knownFormat: Rule = () => ({
  Schema(schema, context) {
    const { format, type } = schema
    if (format === undefined) {
      return
    }
    if (enforced.has(String(format))) {
      rejectOtherType(String(format), type, context)
      return
    }
    const message = `Nothing enforces the format ${format}; use one of ${[...enforced].sort().join(', ')}, or use pattern, minimum and maximum.`
    context.report({ message, location: context.location.child('format') })
  },
})

/** Reports a format whose schema has none of the types that the format is for. */
function rejectOtherType(format: string, type: unknown, context: Context): void {
  const definition = formats[format]
  const isOfNumbers =
    typeof definition === 'object' && 'type' in definition && definition.type === 'number'
  const typesOfFormat = isOfNumbers ? ['number', 'integer'] : ['string']
  const types = [type ?? typesOfFormat].flat().map(String)
  if (types.some((name) => typesOfFormat.includes(name))) {
    return
  }

  const message = `The format ${format} has no effect on type ${types.join(' or ')}; it is for ${typesOfFormat.join(' and ')}.`
  context.report({ message, location: context.location.child('format') })
}

/** Returns whether a format rules out values; some allow any, such as `password` and `double`. */
function isEnforced(definition: (typeof formats)[string]): boolean {
  if (typeof definition !== 'object') {
    return typeof definition === 'function'
  }
  if (!('type' in definition) || definition.type !== 'number') {
    return true
  }
  return definition.validate instanceof Function && definition.validate(0.5) !== true
}
