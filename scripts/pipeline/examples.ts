import { dereference, isObject, type JsonObject, toObject } from './description.ts'
import { type Json, printLiteral } from './literal.ts'
import { operationsOf } from './operation-places.ts'

/** The module that shows what each operation may answer, from the examples of a description. */
export function printExamples(root: JsonObject): string {
  const examples = operationsOf(root).map(({ name, operation }) => [
    name,
    readAnswers(root, operation),
  ])
  const table = printLiteral(Object.fromEntries(examples), '', Number.POSITIVE_INFINITY)
  return `/** What each operation may answer: by status, its required headers and its bodies by name. */
export const examples = ${table} as const
`
}

function readAnswers(root: JsonObject, operation: JsonObject): Json {
  const answers = Object.entries(toObject(operation['responses'])).flatMap(([status, value]) => {
    const response = dereference(root, value)
    const content = Object.entries(toObject(response['content'])).find(([type]) =>
      /\bjson$/.test(type),
    )
    if (content === undefined) return []
    const bodies = readBodies(root, toObject(content[1]))
    return [[status, { headers: readHeaders(root, response), bodies }] as const]
  })
  return Object.fromEntries(answers)
}

function readHeaders(root: JsonObject, response: JsonObject): Json {
  const headers = Object.entries(toObject(response['headers'])).flatMap(([name, value]) => {
    const { required, example } = dereference(root, value)
    return required === true && isJson(example) ? [[name, String(example)] as const] : []
  })
  return Object.fromEntries(headers)
}

function readBodies(root: JsonObject, { example, examples }: JsonObject): Json {
  const named = Object.entries(toObject(examples)).flatMap(([name, value]) => {
    const body = dereference(root, value)['value']
    return isJson(body) ? [[name, body] as const] : []
  })
  return Object.fromEntries(isJson(example) ? [['example', example], ...named] : named)
}

/** Returns whether a value can be written as JSON. */
export function isJson(value: unknown): value is Json {
  if (Array.isArray(value)) return value.every(isJson)
  if (isObject(value)) return Object.values(value).every(isJson)
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
