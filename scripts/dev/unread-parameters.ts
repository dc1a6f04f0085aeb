import { glob, readFile } from 'node:fs/promises'
import type { OperationState } from '../../server/dev/design-service.ts'
import { projectPath } from '../pipeline/project.ts'
import type { Finding } from './state.ts'

/**
 * Returns a finding for each parameter that the handler of its operation does not read. This is decided
 * by text: the handler is the function after `Handler<'operationId'>`. Where the text leaves it open,
 * because the handler passes all values on, there is no finding.
 */
export async function findUnreadParameters(
  operations: readonly OperationState[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for await (const file of glob('server/**/*.ts', { cwd: projectPath() })) {
    const text = await readFile(projectPath(file), 'utf8').catch(() => '')
    for (const { operationId, parameters } of operations) {
      const at = text.indexOf(`Handler<'${operationId}'>`)
      if (at === -1) continue
      const lines = text.slice(0, at).split('\n')
      const place = { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
      for (const { in: kind, name } of parameters) {
        if (mayRead(text, at, kind === 'header' ? 'headers' : kind, name)) continue
        const message = `${kind} parameter \`${name}\` of ${operationId} is not read by any handler`
        findings.push({ ...place, message })
      }
    }
  }
  return findings
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
