import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { bumpVersion } from '../../../scripts/diff/contract-diff.ts'
import { project } from '../../helpers/program.ts'
import { runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import type { Until } from '../../helpers/temporary-folder.ts'
import { createClone } from '../init/own-project.ts'

const fence = /^(```|~~~)(.*)\n([\s\S]*?)^\1$/gm
const placed = /^\w+ ([^\s,]+), (?:new|(before|after|instead of) "(.*?)"(?: below "([^"]*)")?)$/

/** Creates a copy of the whole project, a repository in which the description is the last release. */
export async function createReleasedClone(until?: Until): Promise<string> {
  const copy = await createClone(until)
  for (const page of ['add-a-field.md', 'add-an-operation.md']) await takeBack(copy, page)
  // Notes on a breaking change of the client would need a major version.
  const changelog = join(copy, 'CHANGELOG.md')
  const notes = await readFile(changelog, 'utf8')
  await writeFile(changelog, notes.replace(/^(### .*), breaking.*$/m, '$1'))
  // Stores are kept in a test of their own.
  const manifest = join(copy, 'package.json')
  const scripts = await readFile(manifest, 'utf8')
  await writeFile(manifest, scripts.replace(/^.*"keep-store".*\n/m, ''))
  await runInCopy(copy, 'npm run -s generate')
  // JSON is YAML, too.
  await copyFile(join(copy, 'generated/openapi.json'), join(copy, 'spec/released.yaml'))
  await commitAll(copy)
  await runInCopy(copy, `git tag v${await readVersion(copy)}`)
  return copy
}

/** Makes a copy a repository, in which everything is committed. */
export async function commitAll(copy: string): Promise<void> {
  const person = 'git config user.name A && git config user.email a@example.org'
  const commit = 'git add --all && git commit --quiet --message A'
  await runInCopy(copy, `git init --quiet && ${person} && ${commit}`)
}

/** Returns the version of the description of a copy. */
export async function readVersion(copy: string): Promise<string> {
  return parse(await readFile(join(copy, 'spec/openapi.yaml'), 'utf8')).info.version
}

/** Takes back what a page adds, where the project has it because its people have followed the page. */
async function takeBack(copy: string, page: string): Promise<void> {
  const text = await readFile(join(project, 'docs', page), 'utf8')
  for (const { 2: info = '', 3: added = '' } of text.matchAll(fence)) {
    const [, file, side, line = ''] = placed.exec(info) ?? []
    if (file === undefined || line.endsWith('…')) continue
    const path = join(copy, file)
    if (side === undefined) await rm(path, { force: true })
    else {
      const before = side === 'instead of' ? `${line}\n` : ''
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replace(added, () => before),
      )
    }
  }
}

/** Does what a page of `docs/` says, with the version after the one of the copy; returns that. */
export async function followPage(copy: string, page: string): Promise<string> {
  const text = await readFile(join(project, 'docs', page), 'utf8')
  const version = bumpVersion(await readVersion(copy), 'minor')
  await follow(copy, text.replaceAll(/^ {2}version: .*$/gm, `  version: ${version}`))
  return version
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
      if (side === undefined) await writeFile(path, text, { flag: 'wx' })
      else await paste(path, text, side, line, above)
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
