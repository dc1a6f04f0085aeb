import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { bumpVersion } from '../../../scripts/diff/contract-diff.ts'
import { project } from '../../helpers/program.ts'
import { commit, createClone } from '../../helpers/project-clone.ts'
import { runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import type { Until } from '../../helpers/temporary-folder.ts'

const fence = /^(```|~~~)(.*)\n([\s\S]*?)^\1$/gm
const placed = /^\w+ ([^\s,]+), (?:new|(before|after|instead of) "(.*?)"(?: below "([^"]*)")?)$/

/** Makes the project of `docs/your-own-api.md` in a new copy, in which everything is committed. */
export async function createBookClub(until?: Until): Promise<string> {
  const copy = await createClone(until)
  // The tests of upgrades follow that section: here, there is no newer version of the platform.
  const page = readPage('your-own-api.md')
  await follow(copy, page.replace(readSection(page, 'Upgrade'), ''))
  await runInCopy(copy, commit)
  return copy
}

/** Returns the version of the description of a copy. */
export async function readVersion(copy: string): Promise<string> {
  return parse(await readFile(join(copy, 'spec/openapi.yaml'), 'utf8')).info.version
}

/** Does what a page of `docs/` says, with the version after the one of the copy; returns that. */
export async function followPage(copy: string, page: string): Promise<string> {
  const text = readPage(page)
  const version = bumpVersion(await readVersion(copy), 'minor')
  await follow(copy, text.replaceAll(/^ {2}version: .*$/gm, `  version: ${version}`))
  return version
}

/** Returns the section of a page with this heading. */
export function readSection(page: string, heading: string): string {
  const sections = page.split(/^(?=## )/m)
  const section = sections.find((text) => text.split('\n')[0]?.endsWith(heading))
  expect(section, `a section ${heading}`).toBeDefined()
  return section ?? ''
}

/** Returns the text of a page of `docs/`. */
export function readPage(name: string): string {
  return readFileSync(join(project, 'docs', name), 'utf8')
}

/**
 * Does what a page says, in a copy of the project: puts each snippet into the file that its block and
 * the text above it name, runs each command, and compares what it prints with the block below it, in
 * which `…` matches anything.
 */
export async function follow(copy: string, page: string): Promise<void> {
  let printed: string | undefined
  let end = 0
  for (const { index, 0: whole, 2: info = '', 3: text = '' } of page.matchAll(fence)) {
    const prose = page.slice(end, index)
    end = index + whole.length
    if (info === 'text') {
      for (const line of text.trimEnd().split('\n')) {
        const pattern = line.split('…').map(RegExp.escape).join('.*')
        expect(printed).toMatch(new RegExp(`^${pattern}$`, 'm'))
      }
    } else if (info === 'sh' || info === 'sh fails') {
      const { status, output } = await tryInCopy(copy, text.trim())
      expect(status !== 0, `${text} ended with ${status}: ${output}`).toBe(info === 'sh fails')
      printed = output
    } else {
      const [, file = '', side, line = '', above] = placed.exec(info) ?? []
      expect(prose, `the text above ${info}`).toContain(`\`${file}\``)
      const path = join(copy, file)
      if (side === undefined) {
        await writeFile(path, text, { flag: 'wx' })
      } else {
        await paste(path, text, side, line, above)
      }
    }
  }
}

/**
 * Puts a text beside a line of a file, which may end in `…`, or in its place: the only such line, or the
 * first one below another line.
 */
async function paste(
  path: string,
  text: string,
  side: string,
  wanted: string,
  above?: string,
): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  const start = above === undefined ? 0 : lines.indexOf(above) + 1
  const [beginning = '', end] = wanted.split('…')
  const isPlace = (line: string) => line === wanted || (end === '' && line.startsWith(beginning))
  const places = lines.flatMap((line, number) => (number >= start && isPlace(line) ? [number] : []))
  const isFound = above === undefined ? places.length === 1 : start > 0 && places.length > 0
  expect(isFound, `${path} has one line: ${wanted}`).toBe(true)
  const at = Number(places[0]) + (side === 'after' ? 1 : 0)
  lines.splice(at, side === 'instead of' ? 1 : 0, ...text.trimEnd().split('\n'))
  await writeFile(path, lines.join('\n'))
}
