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
const later = ['spec/released.yaml', 'spec/stored-values.yaml', 'CHANGELOG.md']

/**
 * Adapts the pages to an API: its folders have its name, and sections, paragraphs and rows about what
 * is gone are removed. In a page, a paragraph or row is one line.
 */
export async function fitPages(name: string, scripts: readonly string[]): Promise<void> {
  for (const [page, heading] of removedSections) {
    const section = new RegExp(`^## ${heading}\\n.*?(?=^## |(?![^]))`, 'ms')
    await edit(page, (text) => text.replace(section, ''))
  }
  const files = await readdir(projectPath('docs'), { recursive: true })
  const docs = files.filter((file) => file.endsWith('.md'))
  for (const page of ['CONTRIBUTING.md', 'test/README.md', ...docs.map((file) => `docs/${file}`)]) {
    const isThere = (path: string) => later.includes(path) || existsSync(projectPath(path))
    const isGone = (line: string) =>
      [...line.matchAll(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g)].some(
        ([, script = '']) => !scripts.includes(script),
      ) ||
      [...line.matchAll(/\]\((?!https?:)([^)\s#]+)/g)].some(
        ([, path = '']) => !isThere(join(dirname(page), path)),
      ) ||
      [...line.matchAll(/`((?:scripts|server|spec|test)\/[\w./-]+)`/g)].some(
        ([, path = '']) => !isThere(path),
      ) ||
      // Its rows begin with a folder beside it.
      (page === 'test/README.md' &&
        [...line.matchAll(/^\| `([a-z-]+\/)` \|/g)].some(
          ([, path = '']) => !isThere(`test/${path}`),
        ))
    await edit(page, (text) => {
      const renamed = text
        .replaceAll('add-an-operation.md', 'your-own-api.md')
        .replaceAll(/\b(server|test)\/pets\b/g, `$1/${name}`)
        .replaceAll(/`pets\/`/g, `\`${name}/\``)
        // The folder that the guide chose.
        .replaceAll('/book-club', `/${name}`)
      // A guide names files that its reader writes.
      const isGuide = text.includes(', new\n')
      const lines = renamed.split('\n').filter((line) => isGuide || !isGone(line))
      return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n')
    })
  }
  await edit('SECURITY.md', (text) =>
    text.replaceAll(/(?:, )?`(test\/[\w./-]+)`/g, (shown, path: string) =>
      existsSync(projectPath(path)) ? shown : '',
    ),
  )
}

async function edit(page: string, change: (text: string) => string): Promise<void> {
  const file = projectPath(page)
  await writeFile(file, `${change(await readFile(file, 'utf8')).trimEnd()}\n`)
}
