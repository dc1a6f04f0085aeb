import { readFileSync } from 'node:fs'

export const readme = readFileSync(new URL('../../../../client/README.md', import.meta.url), 'utf8')

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
  if (snippets.size < found.length) throw new Error('A heading of the README has two snippets.')
  return snippets
}

const snippets = readSnippets('ts')
const [prelude = ''] = /^.*^const store = .*?\n/ms.exec(snippets.get('First call') ?? '') ?? []

/** The TypeScript snippets by their headings, each as a program of its own. */
export const programs: ReadonlyMap<string, string> = new Map(
  Array.from(snippets, ([heading, code]) => [
    heading,
    code.startsWith(prelude) ? code : `${prelude}${code}`,
  ]),
)

/** Returns the names of the options in the table of the README. */
export function readOptions(): readonly string[] {
  const [, table = ''] = readme.split(/^## Options$/m)
  const cells = Array.from(table.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = '']) => cell)
  return Array.from(cells.join().matchAll(/`(\w+)`/g), ([, name = '']) => name)
}
