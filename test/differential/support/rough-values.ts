import {
  dereference,
  isObject,
  type JsonObject,
  toList,
  toObject,
} from '../../../scripts/pipeline/description.ts'
import type { Dice } from './dice.ts'
import { oddName, oddValue } from './odd-values.ts'
import { roughLength, roughNumber, roughString } from './rough-leaves.ts'

/** Makes a value that a schema may well allow, or only just not, whatever keywords it uses. */
export type RoughValueOf = (schema: unknown) => unknown

/** What rough values are made with. */
interface Making {
  readonly root: JsonObject
  readonly dice: Dice
  readonly depth: number
}

const deepest = 5
const oddity = 0.01

export function createRoughValues(root: JsonObject, dice: Dice): RoughValueOf {
  return (schema) => roughValue(schema, { root, dice, depth: 0 })
}

function roughValue(schema: unknown, making: Making): unknown {
  const { root, dice, depth } = making
  if (!isObject(schema) || dice.chance(oddity)) return oddValue(dice)
  const { $ref, allOf, anyOf, oneOf, enum: values, const: only } = schema
  if (only !== undefined) return only
  if (values !== undefined) return dice.pick(toList(values))
  const choices = [...toList(anyOf), ...toList(oneOf)]
  const parts = [...toList(allOf), ...(choices.length > 0 ? [dice.pick(choices)] : [])]
  if ($ref !== undefined) parts.push(targetOf(root, String($ref)))
  const made = parts.map((part) => roughValue(part, { ...making, depth: depth + 1 }))
  const types = typesOf(schema)
  if (types.length > 0) made.push(ofType(dice.pick(types), schema, making))
  if (made.length === 0) return oddValue(dice, depth)
  const objects = made.filter(isObject)
  return objects.length > 0 ? Object.fromEntries(objects.flatMap(Object.entries)) : dice.pick(made)
}

function ofType(type: string, schema: JsonObject, making: Making): unknown {
  const { dice, depth } = making
  if (type === 'null') return null
  if (type === 'boolean') return dice.chance(0.5)
  if (type === 'string') return roughString(schema, dice)
  if (type === 'object') return roughObject(schema, making)
  if (type !== 'array') return roughNumber(schema, type, dice)
  const length = depth > deepest ? 0 : roughLength(schema, 'Items', dice)
  const { items = {} } = schema
  return Array.from({ length }, () => roughValue(items, { ...making, depth: depth + 1 }))
}

function roughObject(schema: JsonObject, making: Making): JsonObject {
  const { root, dice, depth } = making
  const within = { ...making, depth: depth + 1 }
  const required = toList(schema['required'])
  const fields = Object.entries(toObject(schema['properties'])).filter(([name, field]) => {
    const { readOnly, writeOnly } = dereference(root, field)
    if (readOnly === true || writeOnly === true) return dice.chance(0.3)
    return dice.chance(required.includes(name) ? 0.96 : depth > deepest ? 0.05 : 0.5)
  })
  const rows = fields.map(([name, field]) => [name, roughValue(field, within)])
  const { additionalProperties: others = {} } = schema
  if (dice.chance(others === false ? 0.02 : 0.2))
    rows.push([oddName(dice), roughValue(others, within)])
  return Object.fromEntries(rows)
}

// With nothing beside it, what is referred to is what is found.
function targetOf(root: JsonObject, $ref: string): JsonObject {
  const tokens = $ref.slice('#/'.length).split('/')
  return tokens.reduce<JsonObject>((node, token) => toObject(node[token]), root)
}

function typesOf({ type, ...schema }: JsonObject): string[] {
  if (type !== undefined) return [type].flat().map(String)
  const said: Readonly<Record<string, readonly string[]>> = {
    object: ['properties', 'required', 'minProperties', 'maxProperties', 'additionalProperties'],
    array: ['items', 'minItems', 'maxItems'],
    string: ['minLength', 'maxLength', 'pattern'],
    number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  }
  return Object.keys(said).filter((name) => said[name]?.some((keyword) => keyword in schema))
}
