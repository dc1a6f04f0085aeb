import { isObject, type JsonObject, pointAt } from '../description.ts'
import { Doubt } from './doubt.ts'
import { refuseUnknown } from './known-keywords.ts'
import type { ModuleText } from './module-text.ts'
import { type Direction, isOutOfPlace, type Printing } from './printing.ts'
import { readConditions } from './schema-conditions.ts'

const callAlone = /^(\w+)\(v\)$/

/**
 * Makes what prints schemas as functions of a module, and gives the name of a schema's function. Such
 * a function accepts nothing that the contract refuses; where it could, a `Doubt` is thrown.
 */
export function createSchemaPrinter(
  root: JsonObject,
  direction: Direction,
  module: ModuleText,
): (schema: unknown) => string {
  const plain = createPrinting(false)
  const choice = createPrinting(true)

  function createPrinting(isChoice: boolean): Printing {
    const printing: Printing = {
      ...{ root, direction, module, isChoice },
      print: (schema) => print(schema, printing),
      printChoice: (schema) => print(schema, choice),
      printReference: rememberReferences(root, module, (schema) => print(schema, printing)),
    }
    return printing
  }
  return plain.print
}

function print(schema: unknown, printing: Printing): string {
  if (schema === true) return 'anything'
  if (schema === false) return 'nothing'
  if (!isObject(schema)) throw new Doubt('It is no schema.')
  refuseUnknown(schema)
  if (isOutOfPlace(schema, printing.direction)) return 'nothing'
  const conditions = readConditions(schema, printing)
  if (conditions.length === 0) return 'anything'
  const all = conditions.join(' && ')
  return callAlone.exec(all)?.[1] ?? printing.module.declare('fits', `(v) => ${all}`)
}

function rememberReferences(
  root: JsonObject,
  module: ModuleText,
  print: (schema: unknown) => string,
): Printing['printReference'] {
  const printed = new Map<string, string>()
  const begun = new Set<string>()

  function forgetSince(reference: string): void {
    const references = [...printed.keys()]
    // Those printed since may refer to it, which will not be there.
    for (const other of references.slice(references.indexOf(reference))) printed.delete(other)
  }

  return function printReference(reference) {
    const known = printed.get(reference)
    if (known !== undefined) return known
    const name = module.reserve('fits')
    // It may refer to itself.
    printed.set(reference, name)
    begun.add(name)
    try {
      // What stands beside a further reference holds too, so that is not to be followed here.
      const fits = print(pointAt(root, reference))
      // The name alone would be read before there is something under it.
      const value = begun.has(fits) ? `(v) => ${fits}(v)` : fits
      module.define(name, `${value} // ${reference.replaceAll(/\s/g, ' ')}`)
      return name
    } catch (error) {
      // Whoever refers to it next is to hear of the doubt too.
      forgetSince(reference)
      throw error
    } finally {
      begun.delete(name)
    }
  }
}
