import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, parseDocument } from 'yaml'
import { operationsMultiplied } from '../../test/platform/dev/support/many-operations.ts'
import { project } from './server.ts'

const parts = [
  'package.json',
  'tsconfig.json',
  'redocly.yaml',
  'spec',
  'scripts',
  'generated',
  'server',
]

/** Makes a copy of the project that has no caches, with as many operations as are wanted, if any. */
export function copyProject(copy: string, operations?: number): void {
  mkdirSync(copy)
  for (const part of parts) cpSync(join(project, part), join(copy, part), { recursive: true })
  // Package by package: tools keep their caches beside them, in `node_modules`.
  const modules = join(project, 'node_modules')
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(modules).filter((name) => name !== '.cache')) {
    symlinkSync(join(modules, name), join(copy, 'node_modules', name))
  }
  if (operations === undefined) return
  const spec = join(copy, 'spec/openapi.yaml')
  writeFileSync(spec, multiplied(readFileSync(spec, 'utf8'), operations))
  const handlers = join(copy, 'server/pets/handlers.ts')
  writeFileSync(handlers, forAll(readFileSync(handlers, 'utf8')))
}

/** A description with copies of its operations, those that were there at the end. */
function multiplied(text: string, operations: number): string {
  const description = parseDocument(text)
  const paths = description.get('paths')
  if (!isMap(paths)) throw new Error('The description has no paths.')
  const originals = paths.items.length
  operationsMultiplied(operations)(description)
  paths.items.push(...paths.items.splice(0, originals))
  return description.toString({ lineWidth: 0 })
}

/** A module of handlers that has one for each copy of an operation too: that of the operation. */
function forAll(handlers: string): string {
  const name = 'export function createHandlers('
  if (!handlers.includes(name)) throw new Error('The module of the handlers has another form.')
  return `${handlers.replace(name, 'function createOwnHandlers(')}
import { operations } from '../../generated/operations.ts'
export function createHandlers(options) {
  const own = createOwnHandlers(options)
  const ids = Object.keys(operations)
  return Object.fromEntries(ids.map((id) => [id, own[id.replace(/\\d+$/, '')]]))
}
`
}
