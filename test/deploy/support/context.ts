import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { project } from './dockerfile.ts'

const rules = readFileSync(join(project, 'deploy/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Whether the builder gets to see a file of the project: the last rule that fits decides. */
function isInContext(path: string): boolean {
  const rule = rules.findLast((line) => {
    const pattern = line.replace('!', '')
    return pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)
  })
  return rule === undefined || rule.startsWith('!')
}

/** Copies a file or folder as `COPY` does from the builder's context; throws when it is not there. */
export function copyFromContext(path: string, to: string): void {
  const source = join(project, path)
  if (!existsSync(source) || !isInContext(path)) {
    throw new Error(`The Dockerfile copies ${path}, which the builder does not see.`)
  }
  cpSync(source, to, { recursive: true, filter: (file) => isInContext(relative(project, file)) })
}
