import { type JsonObject, toObject } from '../../server/description/json.ts'
import { dereference } from './description.ts'
import { printLiteral } from './literal.ts'
import { operationsOf } from './operation-entries.ts'

/** Returns the module with the examples of each operation's responses. */
export function printExamples(root: JsonObject): string {
  const table = operationsOf(root).map(({ name, operation }) => [
    name,
    readResponses(root, operation),
  ])
  return `/** Example responses of each operation, by status: the required headers, and bodies by name. */
export const examples = ${printLiteral(Object.fromEntries(table))} as const
`
}

function readResponses(root: JsonObject, operation: JsonObject) {
  const responses = Object.entries(toObject(operation['responses'])).flatMap(([status, value]) => {
    const response = dereference(root, value)
    const content = Object.entries(toObject(response['content'])).find(([type]) =>
      /\bjson$/.test(type),
    )
    if (content === undefined) return []
    const bodies = Object.fromEntries(examplesOf(root, toObject(content[1])))
    return [[status, { headers: readHeaders(root, response), bodies }] as const]
  })
  return Object.fromEntries(responses)
}

function readHeaders(root: JsonObject, response: JsonObject) {
  const headers = Object.entries(toObject(response['headers'])).flatMap(([name, value]) => {
    const { required, example } = dereference(root, value)
    return required === true && example !== undefined ? [[name, String(example)] as const] : []
  })
  return Object.fromEntries(headers)
}

/** Returns the examples of a media type, a parameter or a header, by name. */
export function examplesOf(
  root: JsonObject,
  { example, examples }: JsonObject,
): readonly (readonly [name: string, value: unknown])[] {
  const named = Object.entries(toObject(examples)).map(
    ([name, value]) => [name, dereference(root, value)['value']] as const,
  )
  return [['example', example] as const, ...named].filter(([, value]) => value !== undefined)
}
