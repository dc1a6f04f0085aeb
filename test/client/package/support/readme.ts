import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { project } from '../../../platform/drift/support/project-copy.ts'

export const readme = readFileSync(join(project, 'client/README.md'), 'utf8')

/** Returns the snippets of a language by their headings; there is one under each. */
export function readSnippets(language: string): ReadonlyMap<string, string> {
  const [, ...sections] = readme.split(/^## /m)
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  const found = sections.flatMap((section) =>
    Array.from(section.matchAll(fence), ([, code = '']): [string, string] => [
      section.slice(0, section.indexOf('\n')),
      code,
    ]),
  )
  const snippets = new Map(found)
  expect(snippets.size, 'one snippet under a heading').toBe(found.length)
  return snippets
}
