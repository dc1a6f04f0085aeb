import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectPath } from '../pipeline/project.ts'

/** Sections about what only the replaced API has. */
const removedSections = [
  ['docs/operations.md', 'Bulk load'],
  ['docs/performance.md', 'How it is measured'],
  ['docs/your-own-api.md', '1\\. Begin with a description'],
] as const

/** Files that are written later: at the first release, or when they are needed. */
const laterFiles = [
  ...['spec/released.yaml', 'spec/stored-values.yaml', 'spec/accepted-changes.yaml'],
  'CHANGELOG.md',
]

/**
 * Adapts the docs to an API: its folders have its name, and sections, paragraphs and rows about removed
 * files and commands are removed. Each paragraph or row of a page is one line.
 */
export async function adaptPages(name: string, scripts: readonly string[]): Promise<void> {
  for (const [page, heading] of removedSections) {
    const section = new RegExp(`^## ${heading}\\n.*?(?=^## |(?![^]))`, 'ms')
    await edit(page, (text) => text.replace(section, ''))
  }
  const files = await readdir(projectPath('docs'), { recursive: true })
  const docs = files.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)
  for (const page of ['CONTRIBUTING.md', 'test/README.md', ...docs]) {
    await edit(page, (text) => {
      const renamed = text
        .replaceAll('add-an-operation.md', 'your-own-api.md')
        .replaceAll(/\b(server|test)\/pets\b/g, `$1/${name}`)
        .replaceAll(/`pets\/`/g, `\`${name}/\``)
        // The folder of the example in the guide.
        .replaceAll('/book-club', `/${name}`)
      // A guide names files that its reader writes.
      const isGuide = text.includes(', new\n')
      const lines = renamed.split('\n').filter((line) => isGuide || !isGone(page, line, scripts))
      return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n')
    })
  }
  await edit('SECURITY.md', (text) =>
    text.replaceAll(/(?:, )?`(test\/[\w./-]+)`/g, (shown, path: string) =>
      existsSync(projectPath(path)) ? shown : '',
    ),
  )
}

/** Returns whether a line of a page names a command or a file that was removed. */
function isGone(page: string, line: string, scripts: readonly string[]): boolean {
  const find = (pattern: RegExp) => Array.from(line.matchAll(pattern), ([, found = '']) => found)
  const commands = find(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g)
  const links = find(/\]\((?!https?:)([^)\s#]+)/g)
  // The table in test/README.md has folders beside it.
  const rows = page === 'test/README.md' ? find(/^\| `([a-z-]+\/)` \|/g) : []
  const paths = [
    ...[...links, ...rows].map((path) => join(dirname(page), path)),
    ...find(/`((?:scripts|server|spec|test)\/[\w./-]+)`/g),
  ]
  const isMissing = (path: string) => !laterFiles.includes(path) && !existsSync(projectPath(path))
  return paths.some(isMissing) || commands.some((command) => !scripts.includes(command))
}

async function edit(page: string, change: (text: string) => string): Promise<void> {
  const file = projectPath(page)
  await writeFile(file, `${change(await readFile(file, 'utf8')).trimEnd()}\n`)
}
