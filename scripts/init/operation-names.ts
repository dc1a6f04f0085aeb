import type { Operation } from '../../server/description/description.ts'
import { isUsable } from '../pipeline/code-names.ts'

/** Words that cannot be the name of a function in a module of JavaScript. */
const reservedWords = new Set([
  ...['arguments', 'await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger'],
  ...['default', 'delete', 'do', 'else', 'enum', 'eval', 'export', 'extends', 'false', 'finally'],
  ...['for', 'function', 'if', 'implements', 'import', 'in', 'instanceof', 'interface', 'let'],
  ...['new', 'null', 'package', 'private', 'protected', 'public', 'return', 'static', 'super'],
  ...['switch', 'this', 'throw', 'true', 'try', 'typeof', 'var', 'void', 'while', 'with', 'yield'],
])

/**
 * Returns names in code for the operations whose operationId cannot be one, or is that of another operation,
 * by names such as `GET /orders`. Names differ by more than their case: some file systems ignore it.
 */
export function nameOperations(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const usedNames = new Set<string>()
  const unnamed: Operation[] = []

  // An operationId that is a name is kept for its own operation, before names are made for others.
  for (const operation of operations) {
    const { operationId = '' } = operation
    const key = operationId.toLowerCase()
    if (isFunctionName(operationId) && !usedNames.has(key)) {
      usedNames.add(key)
    } else {
      unnamed.push(operation)
    }
  }

  for (const { name, method, path, operationId = '' } of unnamed) {
    const nameOfId = toCamelCase(operationId)
    const wanted = isFunctionName(nameOfId) ? nameOfId : nameRoute(method, path)
    let unusedName = wanted
    for (let count = 2; usedNames.has(unusedName.toLowerCase()); count++) {
      unusedName = `${wanted}${count}`
    }
    usedNames.add(unusedName.toLowerCase())
    names.set(name, unusedName)
  }
  return names
}

/** Returns the name of a method and a path, such as `getOrdersById`. */
function nameRoute(method: string, path: string): string {
  const name = toCamelCase(`${method.toLowerCase()} ${path.replaceAll('{', ' by {')}`)
  // The name of `DELETE /` would be the operator `delete`.
  return isFunctionName(name) ? name : `${name}Root`
}

function isFunctionName(name: string): boolean {
  return isUsable(name) && !reservedWords.has(name)
}

function toCamelCase(text: string): string {
  const [first = '', ...otherWords] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const capitalized = otherWords.map((word) => word[0]?.toUpperCase() + word.slice(1))
  // An acronym at the start is one word: `APIKeys` becomes `apiKeys`.
  const acronym = /^(?:[A-Z]+(?![a-z])|[A-Z])/
  const start = first.replace(acronym, (letters) => letters.toLowerCase())
  return [start, ...capitalized].join('').replace(/^\d/, 'n$&')
}
