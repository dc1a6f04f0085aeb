import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A text that the page puts into a file. */
export interface Snippet {
  readonly file: string
  readonly text: string
  /** The line of the file, which may end in `…`; undefined for a new file. */
  readonly where?: { readonly side: string; readonly line: string }
}

/** A command of the page. */
export interface Command {
  readonly kind: 'command'
  readonly line: string
  readonly fails: boolean
  /** The lines of its output; `…` matches anything. */
  readonly prints: readonly string[]
}

/** All snippets in a row for one file, or a command. */
export type GuideStep =
  | { readonly kind: 'snippets'; readonly snippets: readonly Snippet[] }
  | Command

const fence = /^(```|~~~)(.*)\n([\s\S]*?)^\1$/gm
const placed = /^\w+ ([^\s,]+), (?:new|(before|after|instead of) "(.*)")$/

/** Reads the steps of a page; throws when a block, or the text above it, does not name its file. */
export function readGuide(page: string): readonly GuideStep[] {
  const steps: GuideStep[] = []
  let end = 0
  for (const { index, 0: whole, 2: info = '', 3: text = '' } of page.matchAll(fence)) {
    const prose = page.slice(end, index)
    end = index + whole.length
    const last = steps.at(-1)
    if (info === 'text') {
      if (last?.kind !== 'command') throw new Error(`Nothing prints:\n${text}`)
      steps.splice(-1, 1, { ...last, prints: text.trimEnd().split('\n') })
    } else if (info === 'sh' || info === 'sh fails') {
      const command = { kind: 'command', fails: info !== 'sh', prints: [] } as const
      steps.push({ ...command, line: text.trim() })
    } else {
      const snippet = toSnippet(info, text, prose)
      const joins = last?.kind === 'snippets' && last.snippets[0]?.file === snippet.file
      const snippets = joins ? [...last.snippets, snippet] : [snippet]
      steps.splice(joins ? -1 : steps.length, 1, { kind: 'snippets', snippets })
    }
  }
  return steps
}

function toSnippet(info: string, text: string, prose: string): Snippet {
  const found = placed.exec(info)
  if (found === null) throw new Error(`There is no file for: ${info}`)
  const [, file = '', side, line = ''] = found
  if (!prose.includes(`\`${file}\``)) throw new Error(`The text above does not name ${file}`)
  return side === undefined ? { file, text } : { file, text, where: { side, line } }
}

/** Puts a snippet into its file, in a copy of the project. */
export async function paste(copy: string, { file, text, where }: Snippet): Promise<void> {
  const path = join(copy, file)
  if (where === undefined) return writeFile(path, text, { flag: 'wx' })
  const lines = (await readFile(path, 'utf8')).split('\n')
  const [start = '', end] = where.line.split('…')
  const isPlace = (line: string) => line === where.line || (end === '' && line.startsWith(start))
  const places = lines.flatMap((line, number) => (isPlace(line) ? [number] : []))
  const [number] = places
  if (number === undefined || places.length > 1) {
    throw new Error(`${file} has ${places.length} lines: ${where.line}`)
  }
  const at = where.side === 'after' ? number + 1 : number
  lines.splice(at, where.side === 'instead of' ? 1 : 0, ...text.trimEnd().split('\n'))
  await writeFile(path, lines.join('\n'))
}
