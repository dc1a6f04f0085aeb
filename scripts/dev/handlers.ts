import { glob, readFile } from 'node:fs/promises'
import { projectPath } from '../pipeline/project.ts'
import type { OperationState } from './design-service.ts'
import type { Finding } from './state.ts'

/**
 * Returns a finding for each handler of an operation that the description does not have, and for each
 * parameter that the handler of its operation does not read. This is decided by text: the handler is
 * the function after `Handler<'operationId'>`. Where the text leaves it open, because the handler
 * passes all values on, there is no finding.
 */
export async function checkHandlers(
  operations: readonly OperationState[],
): Promise<readonly Finding[]> {
  if (operations.length === 0) return []
  const known = new Map(operations.map((operation) => [operation.operationId, operation]))
  const unknown: Finding[] = []
  const unread: Finding[] = []
  for await (const file of glob('server/**/*.ts', { cwd: projectPath() })) {
    const text = await readFile(projectPath(file), 'utf8').catch(() => '')
    for (const { index, 1: name = '' } of text.matchAll(/Handler<'([^']+)'>/g)) {
      const lines = text.slice(0, index).split('\n')
      const location = { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
      if (!known.has(name)) {
        const message = `\`${name}\` is unknown; the operations are ${[...known.keys()].join(', ')}`
        unknown.push({ ...location, message })
      }
      for (const [kind, parameters] of Object.entries(known.get(name)?.parameters ?? {})) {
        for (const parameter of Object.keys(parameters)) {
          if (mayRead(text, index, kind === 'header' ? 'headers' : kind, parameter)) continue
          const message = `${kind} parameter \`${parameter}\` of ${name} is not read by any handler`
          unread.push({ ...location, message })
        }
      }
    }
  }
  return [...unknown, ...unread]
}

function mayRead(text: string, at: number, group: string, name: string): boolean {
  const isNamed = new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).test(text)
  const start = text.indexOf('(', at) + 1
  const end = text.indexOf(')', start)
  const taken = text.slice(start, end)
  const takesAll = !/^\s*(?:\{|$)/.test(taken) || /\.\.\.|:\s*\w/.test(taken)
  // Used, but not followed by the name of one value.
  const passedOn = new RegExp(`(?<![\\w./'"])${group}\\b(?!\\s*(?:\\?\\.|[:.[]))`)
  return isNamed || takesAll || passedOn.test(text.slice(0, start) + text.slice(end))
}
