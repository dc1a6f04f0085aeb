import { Ajv2020 } from 'ajv/dist/2020.js'
import { toObject } from '../../scripts/pipeline/description.ts'
import { inline } from './header-example-valid.ts'
import type { Rule } from './rule.ts'

/** A default fits its schema, else a request that leaves the value out is refused for it. */
export const defaultValid: Rule = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

  return {
    Schema(schema, context) {
      if (schema['default'] === undefined) return
      const isValid = ajv.compile(toObject(inline(schema, context)))
      if (isValid(schema['default'])) return
      const fault = ajv.errorsText(isValid.errors, { dataVar: '' }).trim()
      const message = `The default does not fit its own schema: it ${fault}.`
      context.report({ message, location: context.location.child('default') })
    },
  }
}
