import { glob, readFile } from 'node:fs/promises'
import type { Finding } from '../dev/state.ts'
import { projectPath } from '../pipeline/project.ts'

/** An operation with its name. */
type Entry = readonly [operationId: string, operation: OperationParameters]

/** The parameters of an operation, by their location and their name. */
interface OperationParameters {
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The name that the input of a handler has for the parameters of a location. */
const inputNames = new Map([
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
  ['cookie', 'cookies'],
])

/**
 * Returns a finding for each handler of an operation that the description does not have, and for each
 * parameter that the handler of its operation does not read. This is decided by text: the handler is
 * the function after `Handler<'operationId'>`. Where the text leaves it open, because the handler
 * passes all values on, there is no finding.
 */
export async function checkHandlers(operations: readonly Entry[]): Promise<readonly Finding[]> {
  if (operations.length === 0) {
    return []
  }
  const operationsById = new Map(operations)
  const names = [...operationsById.keys()].join(', ')
  const unknown: Finding[] = []
  const unread: Finding[] = []
  for await (const file of glob('server/**/*.ts', { cwd: projectPath() })) {
    const text = await readFile(projectPath(file), 'utf8').catch(() => '')
    for (const { index, 1: name = '' } of text.matchAll(/Handler<'([^']+)'>/g)) {
      const lines = text.slice(0, index).split('\n')
      const location = { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
      const operation = operationsById.get(name)
      if (operation === undefined) {
        unknown.push({
          ...location,
          message: `\`${name}\` is unknown; the operations are ${names}`,
        })
        continue
      }
      for (const parameter of findUnread(text, index, operation)) {
        unread.push({ ...location, message: `${parameter} of ${name} is not read by any handler` })
      }
    }
  }
  return [...unknown, ...unread]
}

/** Returns the parameters that the handler at an index of a text does not read, in words. */
export function findUnread(
  text: string,
  index: number,
  operation: OperationParameters,
): readonly string[] {
  return Object.entries(operation.parameters).flatMap(([location, parameters]) => {
    const group = inputNames.get(location) ?? location
    const unread = Object.keys(parameters).filter((name) => !mayRead(text, index, group, name))
    return unread.map((name) => `${location} parameter \`${name}\``)
  })
}

function mayRead(text: string, at: number, group: string, name: string): boolean {
  const isNamed = new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).test(text)
  const start = text.indexOf('(', at) + 1
  const end = text.indexOf(')', start)
  const parameter = text.slice(start, end)
  const isDestructured = /^\s*(?:\{|$)/.test(parameter)
  // As in `(_input, { respond })`.
  const isIgnored = /^\s*_\w*\s*(?:,|$)/.test(parameter)
  const isRenamed = /\.\.\.|:\s*\w/.test(parameter)
  const takesAll = isRenamed || !(isDestructured || isIgnored)

  // The group is used as a whole, unless the name of one of its values follows.
  const usedWhole = new RegExp(`(?<![\\w./'"])${group}\\b(?!\\s*(?:\\?\\.|[:.]|\\[['"]))`)
  const withoutParameter = text.slice(0, start) + text.slice(end)
  return isNamed || takesAll || usedWhole.test(withoutParameter)
}
