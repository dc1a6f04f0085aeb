import { type JsonObject, toList, toObject } from '../description.ts'
import { type Json, printLiteral } from '../literal.ts'
import { Doubt } from './doubt.ts'
import { isOutOfPlace, type Printing } from './printing.ts'
import { bound } from './type-conditions.ts'

/** What an object `v` has to be, in code; it begins with what fills defaults in. */
export function objectConditions(schema: JsonObject, printing: Printing): string[] {
  const fields = Object.entries(toObject(schema['properties']))
  const isOut = (name: string) =>
    isOutOfPlace(toObject(toObject(schema['properties'])[name]), printing.direction)
  const named = toList(schema['required']).map(String)
  if (printing.direction === 'answer' && named.some(isOut)) {
    throw new Doubt('Whether it is asked for depends on the status.')
  }
  // The validator asks for no field of a request that is out of place.
  const required = named.filter((name) => !isOut(name))
  return [
    ...fields.flatMap(([name, field]) => readDefault(name, toObject(field), printing)),
    ...required.map((name) => `${member(name)} !== undefined`),
    ...fields.flatMap(([name, field]) =>
      readField(member(name), printing.print(field), required.includes(name)),
    ),
    ...bound(schema, 'minProperties', 'Object.keys(v).length >='),
    ...bound(schema, 'maxProperties', 'Object.keys(v).length <='),
    ...readOthers(
      schema,
      fields.map(([name]) => name),
      printing,
    ),
  ]
}

function readDefault(name: string, { default: value }: JsonObject, printing: Printing): string[] {
  if (value === undefined || printing.direction === 'answer') return []
  if (printing.isChoice) throw new Doubt('There is a default within a choice.')
  return [`fill(v, ${JSON.stringify(name)}, () => (${printLiteral(value as Json)}))`]
}

function readField(value: string, fits: string, isRequired: boolean): string[] {
  if (fits === 'anything') return []
  if (fits === 'nothing') return [`${value} === undefined`]
  return [isRequired ? `${fits}(${value})` : `(${value} === undefined || ${fits}(${value}))`]
}

function readOthers(schema: JsonObject, known: readonly string[], { module, print }: Printing) {
  const others = schema['additionalProperties']
  const fits = others === undefined ? 'anything' : print(others)
  if (fits === 'anything') return []
  const names = module.declare('names', setOf(known))
  return [fits === 'nothing' ? `hasOnly(v, ${names})` : `haveOthers(v, ${names}, ${fits})`]
}

/** A set of names, in code. */
export function setOf(names: readonly string[]): string {
  return `new Set(${JSON.stringify(names)})`
}

/** A member of the value `v`, in code. */
function member(name: string): string {
  // Every object has it, whether or not it was sent.
  if (name in {}) throw new Doubt(`It has a field ${name}.`)
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `v.${name}` : `v[${JSON.stringify(name)}]`
}
