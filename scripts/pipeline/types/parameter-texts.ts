import { toDocuments } from '../../../server/description/documents.ts'
import { isObject, type JsonObject, toObject } from '../../../server/description/json.ts'
import { editNodes } from '../../../server/description/nodes.ts'

/**
 * Adds the limits and the default of a parameter to its description, which editors show: types have neither.
 */
export function describeParameters(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const edited = editNodes(description, 'document', (node, kind) => {
    if (kind !== 'parameter' || !isObject(node['schema'])) {
      return node
    }

    const { schema, description: text } = node
    // What stands beside a reference adds to what it leads to.
    const limits = printLimits({ ...documents.followValue(schema), ...schema })
    const texts = [text, limits].filter((each) => typeof each === 'string' && each !== '')
    return texts.length === 0 ? node : { ...node, description: texts.join(' ') }
  })
  return toObject(edited)
}

/** Returns the limits and the default of a value as a sentence, such as `From 1 to 100; default 20.` */
function printLimits(schema: JsonObject): string {
  const { minLength, maxLength, minItems, maxItems, pattern, multipleOf, uniqueItems } = schema
  const parts = [
    printBounds(schema),
    // A pattern may limit the length further.
    pattern === undefined ? printCount(minLength, maxLength, 'character') : '',
    printCount(minItems, maxItems, 'item'),
    uniqueItems === true ? 'no item twice' : '',
    typeof multipleOf === 'number' ? `a multiple of ${multipleOf}` : '',
    schema['default'] === undefined ? '' : `default ${JSON.stringify(schema['default'])}`,
  ]

  const text = parts.filter((part) => part !== '').join('; ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function printBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): string {
  const above = typeof exclusiveMinimum === 'number' ? `more than ${exclusiveMinimum}` : ''
  const below = typeof exclusiveMaximum === 'number' ? `less than ${exclusiveMaximum}` : ''
  // The limits of every integer in JSON say nothing of a parameter (RFC 8259, section 6).
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  return [above, printRange(least, most), below].filter((part) => part !== '').join(', ')
}

function printCount(least: unknown, most: unknown, unit: string): string {
  const range = printRange(least, most)
  if (range === '') {
    return ''
  }

  const lastNumber = typeof most === 'number' ? most : least
  const noun = lastNumber === 1 ? unit : `${unit}s`
  return `${range} ${noun}`
}

function printRange(least: unknown, most: unknown): string {
  if (typeof least !== 'number') {
    return typeof most === 'number' ? `at most ${most}` : ''
  }
  if (typeof most !== 'number') {
    return `at least ${least}`
  }
  return least === most ? `exactly ${least}` : `from ${least} to ${most}`
}
