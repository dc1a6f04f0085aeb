import { type JsonObject, toObject } from '../description.ts'
import { printLiteral } from '../literal.ts'
import { operationsOf } from '../operation-places.ts'
import { unlessInDoubt } from './doubt.ts'
import { createModuleText, type ModuleText } from './module-text.ts'
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
  const formats = functions.includes('hasFormat(') ? formatHelper : ''
  return `// @ts-nocheck: its types are in validators.d.ts
${formats}${helpers}
${functions}
export const digest = ${printLiteral(digest)}

export const requests = ${printTable(requests)}

export const answers = ${printTable(answers)}

export const outside = ${printTable(outside)}
`
}

/** What TypeScript is to know of that module. */
export const validatorTypes = `/** Whether a value keeps the contract for sure; of another nothing is known. */
export type Accepts = (value: unknown) => boolean

/** The SHA-256 of the description that the functions are compiled from. */
export declare const digest: string

/** Of path, query, headers by lower-case name, cookies and body, by operationId; defaults are filled in. */
export declare const requests: Readonly<Record<string, Accepts>>

/** Of an answer. */
export interface Answer {
  /** Of headers and body, but for headers that are not there. */
  readonly accepts: Accepts
  /** The headers that have to be there. */
  readonly owed: readonly string[]
}

/** By operationId and status. */
export declare const answers: Readonly<Record<string, Readonly<Record<number, Answer>>>>

/** Of answers that belong to no operation, by status. */
export declare const outside: Readonly<Record<number, Answer>>
`

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
  const rows = table.map(([key, value]) => `${indent}  ${JSON.stringify(key)}: ${value},\n`)
  // Without what objects inherit: an operation may be called `constructor`.
  return `{\n${indent}  __proto__: null,\n${rows.join('')}${indent}}`
}

const helpers = `const anything = () => true
const nothing = () => false
const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v)

function hasOnly(v, names) {
  for (const name in v) if (!names.has(name)) return false
  return true
}

function haveOthers(v, names, fits) {
  for (const name in v) if (!names.has(name) && !fits(v[name])) return false
  return true
}

function haveAll(v, fits) {
  for (const item of v) if (!fits(item)) return false
  return true
}

function lengthOf(v) {
  let length = 0
  for (const _ of v) length++
  return length
}

let undoing = []

function fill(v, name, make) {
  if (v[name] !== undefined) return true
  const isThere = name in v
  undoing.push(() => (isThere ? (v[name] = undefined) : delete v[name]))
  v[name] = make()
  return true
}

// What is not accepted here is for the validator to judge, as it was sent.
function orAsItWas(fits) {
  return (v) => {
    undoing = []
    const isAccepted = fits(v)
    if (!isAccepted) for (const undo of undoing.reverse()) undo()
    undoing = []
    return isAccepted
  }
}
`

const formatHelper = `import { fastFormats } from 'ajv-formats/dist/formats.js'

function hasFormat(v, name) {
  const format = fastFormats[name]
  const test = format?.validate ?? format
  return test instanceof RegExp ? test.test(v) : test === true || test?.(v) === true
}

`
