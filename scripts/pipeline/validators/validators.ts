import { type JsonObject, toObject } from '../description.ts'
import { printKey, printLiteral } from '../literal.ts'
import { operationsOf } from '../operation-places.ts'
import { unlessInDoubt } from './doubt.ts'
import { createModuleText, type ModuleText } from './module-text.ts'
import { formatText, valueText } from './pasted-text.ts'
import { createSchemaPrinter } from './schema-printer.ts'
import { promisedBy } from './whole-answer.ts'
import { schemaOfRequest } from './whole-request.ts'

/** What stands for them in the module, by operationId or by status. */
type Table = readonly (readonly [string, string])[]

/**
 * The module of the functions that accept a request or an answer in its plainest form. There is none
 * for what express-openapi-validator may take in another way than what is compiled here.
 */
export function printValidators(root: JsonObject, digest: string): string {
  const module = createModuleText()
  const requests = readRequests(root, module)
  const tableOf = createAnswerTables(root, module)
  const answers = operationsOf(root).map(
    ({ name, operation }) => [name, printTable(tableOf(operation['responses']), '  ')] as const,
  )
  const outside = tableOf(root['x-outside-operations'])
  const functions = module.text()
  const formats = functions.includes('hasFormat(') ? formatText : ''
  return `// @ts-nocheck: its types are in validators.d.ts
${formats}${valueText}
${functions}
export const digest = ${printLiteral(digest)}

export const requests = ${printTable(requests)}

export const answers = ${printTable(answers)}

export const outside = ${printTable(outside)}
`
}

function readRequests(root: JsonObject, module: ModuleText): Table {
  const print = createSchemaPrinter(root, 'request', module)
  return operationsOf(root).flatMap((place) => {
    const name = unlessInDoubt(() => print(schemaOfRequest(root, place)))
    return name === undefined ? [] : [[place.name, `orAsItWas(${name})`] as const]
  })
}

function createAnswerTables(root: JsonObject, module: ModuleText) {
  const print = createSchemaPrinter(root, 'answer', module)
  const known = new Map<string, string | undefined>()

  function rowOf(response: unknown): string | undefined {
    const key = JSON.stringify(response)
    if (known.has(key)) return known.get(key)
    const made = unlessInDoubt(() => {
      const { schema, owed } = promisedBy(root, response)
      return `{ accepts: ${print(schema)}, owed: ${JSON.stringify(owed)} }`
    })
    known.set(key, made)
    return made
  }

  return function tableOf(responses: unknown): Table {
    return Object.entries(toObject(responses)).flatMap(([status, response]) => {
      const row = /^\d{3}$/.test(status) ? rowOf(response) : undefined
      return row === undefined ? [] : [[status, row] as const]
    })
  }
}

function printTable(table: Table, indent = ''): string {
  const rows = table.map(([key, value]) => `${indent}  ${printKey(key)}: ${value},\n`)
  // Without what objects inherit: an operation may be called `constructor`.
  return `{\n${indent}  __proto__: null,\n${rows.join('')}${indent}}`
}
