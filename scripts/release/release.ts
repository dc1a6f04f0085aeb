import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isScalar, parseDocument } from 'yaml'
import { releasedFile, runGit } from '../diff/released.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { projectOutput, projectPath, projectSpec } from '../pipeline/project.ts'
import { runRedocly } from '../pipeline/redocly.ts'
import { addEntry } from './changelog.ts'

/** Where the version is written by hand. */
const stamped = [
  [projectPath('package.json'), ['version']],
  [projectPath('client/package.json'), ['version']],
  [projectPath('package-lock.json'), ['version']],
  [projectPath('package-lock.json'), ['packages', '', 'version']],
  [projectSpec, ['info', 'version']],
] as const

const changelogFile = projectPath('CHANGELOG.md')

/** Every file and folder that a release writes. */
export const releaseFiles = [
  ...new Set([changelogFile, ...stamped.map(([file]) => file), projectOutput, releasedFile]),
].filter((file) => file === changelogFile || file === releasedFile || existsSync(file))

/**
 * Writes the files of a release, commits and tags them; where anything fails, puts all of them back.
 * The working tree must be clean.
 */
export async function makeRelease(version: string, entry: string): Promise<void> {
  const before = await runGit(['rev-parse', 'HEAD'])
  try {
    await writeFiles(version, entry)
    await callGit('add', '--', ...releaseFiles)
    await callGit('commit', '--quiet', '--message', `Release ${version}`)
    const options = ['--annotate', '--cleanup=verbatim', '--message', entry]
    await callGit('tag', ...options, `v${version}`)
  } catch (error) {
    await callGit('reset', '--quiet', before)
    await callGit('add', '--', ...releaseFiles.filter((file) => existsSync(file)))
    await callGit('restore', '--staged', '--worktree', `--source=${before}`, '--', ...releaseFiles)
    throw error
  }
}

async function writeFiles(version: string, entry: string): Promise<void> {
  for (const [file, keys] of stamped) {
    if (!existsSync(file)) continue
    await writeFile(file, stamp(await readFile(file, 'utf8'), keys, version))
  }
  const changelog = existsSync(changelogFile) ? await readFile(changelogFile, 'utf8') : ''
  await writeFile(changelogFile, addEntry(changelog, version, entry))
  await promisify(execFile)(process.execPath, [projectPath('scripts/generate.ts')])
  await writeFile(releasedFile, await printReleased())
}

/** Puts a version where some keys lead in a YAML or JSON text; every other character stays. */
function stamp(text: string, keys: readonly string[], version: string): string {
  const node = parseDocument(text).getIn(keys, true)
  if (!isScalar(node) || !node.range) {
    throw new DescriptionError([`there is no ${keys.join('.')} to write the version ${version} to`])
  }
  const [start, end] = node.range
  const quote = /^["']/.exec(text.slice(start, end))?.[0] ?? ''
  return `${text.slice(0, start)}${quote}${version}${quote}${text.slice(end)}`
}

async function printReleased(): Promise<string> {
  const options = ['--config', projectPath('redocly.yaml')]
  const { output, errors } = await runRedocly(['bundle', projectSpec, ...options])
  if (output === '') throw new DescriptionError([`redocly bundle failed: ${errors.trim()}`])
  return `# The contract as it was last released, in one piece. Written by \`npm run release\`: do not edit.\n${output.trim()}\n`
}

async function callGit(...args: readonly string[]): Promise<void> {
  try {
    await runGit(args)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new DescriptionError([`git ${args[0]} failed: ${(stderr || message).trim()}`])
  }
}
