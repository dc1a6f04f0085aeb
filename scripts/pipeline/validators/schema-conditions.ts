import { type JsonObject, toList } from '../description.ts'
import { Doubt } from './doubt.ts'
import { evaluatedNames } from './evaluated-names.ts'
import { dependsOnType } from './known-keywords.ts'
import { objectConditions, setOf } from './object-conditions.ts'
import type { Printing } from './printing.ts'
import { arrayConditions, numberConditions, stringConditions } from './type-conditions.ts'

/** How a type is told, and what a value of it has to be besides. */
interface TypeRule {
  readonly test: string
  readonly conditions?: (schema: JsonObject, printing: Printing) => readonly string[]
}

const rules: Readonly<Record<string, TypeRule>> = {
  null: { test: 'v === null' },
  boolean: { test: "typeof v === 'boolean'" },
  integer: { test: 'Number.isInteger(v)', conditions: numberConditions },
  number: { test: 'Number.isFinite(v)', conditions: numberConditions },
  string: { test: "typeof v === 'string'", conditions: stringConditions },
  array: { test: 'Array.isArray(v)', conditions: arrayConditions },
  object: { test: 'isObject(v)', conditions: objectConditions },
}
const allTypes = Object.keys(rules).filter((type) => type !== 'integer')

/**
 * What a value `v` has to be for a schema, in code. The validator asks in this order too, on which it
 * depends what defaults there are by then.
 */
export function readConditions(schema: JsonObject, printing: Printing): string[] {
  const { $ref, allOf, anyOf } = schema
  const conditions = readValues(schema)
  if ($ref !== undefined) conditions.push(`${printing.printReference(String($ref))}(v)`)
  if (anyOf !== undefined) {
    const choices = toList(anyOf).map((choice) => `${printing.printChoice(choice)}(v)`)
    conditions.push(`(${choices.join(' || ')})`)
  }
  for (const part of toList(allOf)) conditions.push(`${printing.print(part)}(v)`)
  return [...conditions, ...readTypes(schema, printing), ...readUnevaluated(schema, printing)]
}

function readTypes(schema: JsonObject, printing: Printing): string[] {
  const { type } = schema
  if (type === undefined && !dependsOnType(schema)) return []
  const types = type === undefined ? allTypes : [type].flat().map(String)
  const clauses = types.map((name) => {
    const rule = rules[name]
    if (rule === undefined) throw new Doubt(`It has a type ${name}.`)
    return [rule.test, ...(rule.conditions?.(schema, printing) ?? [])].join(' && ')
  })
  return [clauses.length === 1 ? clauses.join('') : `(${clauses.join(' || ')})`]
}

function readValues({ enum: values, const: value }: JsonObject): string[] {
  const conditions = []
  if (values !== undefined) conditions.push(`(${toList(values).map(printEqual).join(' || ')})`)
  if (value !== undefined) conditions.push(printEqual(value))
  return conditions
}

function printEqual(value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Doubt('It lists values with parts.')
  return `v === ${JSON.stringify(value)}`
}

function readUnevaluated(schema: JsonObject, { root, module }: Printing): string[] {
  const { unevaluatedProperties: others } = schema
  if (others === undefined || others === true) return []
  if (others !== false) throw new Doubt('Its unevaluatedProperties are a schema.')
  const names = module.declare('names', setOf([...evaluatedNames(root, schema)]))
  return [`(!isObject(v) || hasOnly(v, ${names}))`]
}
