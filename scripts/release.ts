import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isScalar, parseDocument } from 'yaml'
import packageJson from '../package.json' with { type: 'json' }
import { parseOptions, UsageError } from '../server/process/options.ts'
import { runChecks } from './check.ts'
import {
  bumpVersion,
  type Change,
  type ContractDiff,
  compareVersions,
  splitRewordings,
} from './diff/contract-diff.ts'
import { acceptedFileOf, passGate, projectOptions, snippetsOf, toLines } from './diff/gate.ts'
import { readNotes } from './diff/notes.ts'
import { releasedFile } from './diff/released.ts'
import { describeRewordings } from './diff/report.ts'
import { DescriptionError, runCommand } from './pipeline/failure.ts'
import { isRepository, runGit } from './pipeline/git.ts'
import { runApart } from './pipeline/programs.ts'
import { projectOutput, projectPath, projectSpec, shortPath } from './pipeline/project.ts'
import { printRecord, readServiceFile, serviceFileName } from './pipeline/service-file.ts'
import { isVersion } from './pipeline/version.ts'

const usage = 'usage: npm run release -- [--dry-run] [--version X.Y.Z]'

/** Where the version is written by hand. */
const versionPlaces = [
  [projectPath('package.json'), ['version']],
  [projectPath('client/package.json'), ['version']],
  [projectPath('package-lock.json'), ['version']],
  [projectPath('package-lock.json'), ['packages', '', 'version']],
] as const

const serviceFile = projectPath('spec', serviceFileName)

/** Returns where the version of the description is written for releases. */
function versionPlaceOfDescription(): readonly [file: string, keys: readonly string[]] {
  const { version } = readServiceFile(projectSpec).settings
  return version === undefined ? [projectSpec, ['info', 'version']] : [serviceFile, ['version']]
}

const changelogFile = projectPath('CHANGELOG.md')
/** The list of accepted changes: a release writes them to the changelog, and empties the list. */
const acceptedFile = acceptedFileOf(projectSpec)

/** The script that keeps a store of the release for tests of later versions, where the API fills one. */
const storeScript = 'keep-store'
const storesFolder = projectPath('test/api/kept-store')
const keepsStore =
  storeScript in packageJson.scripts && existsSync(join(storesFolder, 'fill-store.ts'))

/** Every file and folder that a release writes. */
const releaseFiles = [
  ...new Set([
    changelogFile,
    ...versionPlaces.map(([file]) => file),
    projectSpec,
    projectOutput,
    releasedFile,
  ]),
  ...(keepsStore ? [storesFolder] : []),
  ...(existsSync(acceptedFile) ? [acceptedFile] : []),
  ...(existsSync(serviceFile) ? [serviceFile] : []),
]

const title = `# Changelog

What each version changes for those who use the API or its client. Notes under Next are written by hand; \`npm run release\` adds the changes of the contract.
`
const sections = [
  ['major', 'Breaking: change your code first'],
  ['minor', 'New'],
  ['patch', 'Small changes'],
] as const

await runCommand(usage, async () => {
  const { isDryRun, wanted } = readOptions()
  await requireRepository(isDryRun)
  const { version, entry } = await planRelease(wanted)
  if (!isDryRun && !(await runChecks(version))) {
    const advice = 'fix what is listed above, commit it, and run: npm run release'
    throw new DescriptionError([`nothing was released, because the checks failed; ${advice}`])
  }
  const files = releaseFiles.map((file) => `  ${shortPath(file)}`)
  const tag = `it is tagged v${version}`
  console.log([`release ${version} writes:`, ...files, tag, '', entry].join('\n'))
  if (isDryRun) {
    return console.log('\nnothing was changed: this was a dry run')
  }
  // The release takes a moment, and a signal would leave it half done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => undefined)
  }
  await makeRelease(version, entry)
  console.log(`\nreleased ${version}; to publish it: git push --atomic --follow-tags`)
})

function readOptions() {
  const { 'dry-run': isDryRun, version: wanted } = parseOptions({
    options: { 'dry-run': { type: 'boolean', default: false }, version: { type: 'string' } },
  }).values
  if (wanted !== undefined && !isVersion(wanted)) {
    throw new UsageError(`--version is three numbers, such as 1.2.0, not '${wanted}'; ${usage}`)
  }
  return { isDryRun, wanted }
}

/** Rejects what is not committed: the tag would not be what was checked. */
async function requireRepository(isDryRun: boolean): Promise<void> {
  if (!(await isRepository())) {
    throw new UsageError(
      'this folder is not a git repository, which a release is tagged in; run: git init',
    )
  }
  if (isDryRun) {
    return
  }
  const [branch, ...changed] = (await runGit(['status', '--porcelain', '--branch'])).split('\n')
  if (branch === '## HEAD (no branch)') {
    throw new UsageError(
      'no branch is checked out, and a release has to be on one; run: git switch BRANCH',
    )
  }
  if (changed.length === 0) {
    return
  }
  throw new UsageError(
    `there are changes that are not committed; commit them, or undo them with git restore and git clean, then release:\n${changed.join('\n')}`,
  )
}

/** Returns the version to release and its entry in the changelog. */
async function planRelease(wanted: string | undefined) {
  const options = { ...projectOptions(), version: wanted ?? 'needed' }
  const { diff, version, errors } = passGate(options)
  const notes = readNotes(changelogFile)
  if (diff !== undefined) {
    requireHigher(version, wanted, diff)
  }
  if (errors.length > 0) {
    throw new DescriptionError([...toLines(errors), ...snippetsOf(errors)])
  }
  return { version, entry: printEntry(version, diff, notes.text) }
}

/** Rejects a version that is too low for the changes, or for a heading of the notes with the word breaking. */
function requireHigher(version: string, wanted: string | undefined, diff: ContractDiff): void {
  const { base, bump, breakingNote } = diff
  if (wanted === undefined && compareVersions(version, base.version) <= 0) {
    throw new UsageError(
      `nothing to release: the contract is that of ${base.version}; if the code alone has changed, name a version: npm run release -- --version X.Y.Z`,
    )
  }
  const least = bumpVersion(base.version, bump === 'none' ? 'patch' : bump)
  if (compareVersions(version, least) >= 0) {
    return
  }
  const reason =
    breakingNote === undefined ? '' : `, because CHANGELOG.md has the heading '${breakingNote}'`
  throw new UsageError(
    `${version} is too low: it must be at least ${least} after ${base.version}${reason}; release that: npm run release -- --version ${least}`,
  )
}

/**
 * Returns the entry of a version: what is breaking or new in the contract, the notes, and changes of
 * descriptions and examples. Without a diff it is the first release.
 */
function printEntry(version: string, diff: ContractDiff | undefined, notes: string): string {
  const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`
  if (diff === undefined) {
    return `${heading}\n\nThe first release.\n\n${notes}`.trim()
  }
  const { changes, ...rewordings } = splitRewordings(diff.changes)
  const [breaking, added, small] = sections.map(([bump, name]) => {
    const lines = changes.filter((change) => change.bump === bump).map(printChange)
    return printSection(name, lines)
  })
  const accepted = printSection(
    'Accepted as no change for consumers',
    diff.accepted.map(({ reason, ...change }) => `${printChange(change)} Accepted: ${reason}`),
  )
  const counts = describeRewordings(rewordings).map((text) => `- ${text}.`)
  const reworded = printSection('Descriptions and examples', counts)
  const isSameContract = diff.changes.length + diff.accepted.length === 0
  const sameContract = isSameContract
    ? 'The contract is the same as before; the service or the client has changed.'
    : ''
  const parts = [sameContract, breaking, added, notes, small, accepted, reworded]
  return [heading, ...parts].filter((part) => part !== undefined && part !== '').join('\n\n')
}

function printSection(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `### ${name}\n\n${lines.join('\n')}`
}

/** Returns the changelog with an entry on top, which replaces one of the same version and `Next`. */
function addEntry(changelog: string, version: string, entry: string): string {
  const [head = '', ...entries] = changelog.split(/^(?=## )/m)
  const entriesOfOtherVersions = entries.filter((text) => {
    return !/^## Next$/m.test(text) && !text.startsWith(`## ${version} `)
  })
  const parts = [head, entry, ...entriesOfOtherVersions].map((text) => `${text.trimEnd()}\n`)
  return parts.join('\n')
}

function printChange({ id, place, what, consequence }: Change): string {
  const where = what.includes(place) ? '' : `\`${place}\`: `
  return `- ${where}${what} ${consequence} (\`${id}\`)`
}

/**
 * Writes the files of a release, commits and tags them; where anything fails, puts all of them back.
 * The working tree must be clean.
 */
async function makeRelease(version: string, entry: string): Promise<void> {
  const before = await runGit(['rev-parse', 'HEAD'])
  try {
    await writeFiles(version, entry)
    await runGit(['add', '--', ...releaseFiles])
    await runGit(['commit', '--quiet', '--message', `Release ${version}`])
    const options = ['--annotate', '--cleanup=verbatim', '--message', entry]
    await runGit(['tag', ...options, `v${version}`])
  } catch (error) {
    await runGit(['reset', '--quiet', before])
    await runGit(['add', '--', ...releaseFiles.filter((file) => existsSync(file))])
    const written = await findTracked(releaseFiles)
    await runGit(['restore', '--staged', '--worktree', `--source=${before}`, '--', ...written])
    throw error
  }
}

/** Returns the paths that git has: it restores none if one is unknown, such as that of a first release. */
async function findTracked(paths: readonly string[]): Promise<string[]> {
  const tracked = []
  for (const path of paths) {
    if ((await runGit(['ls-files', '--', path])) !== '') {
      tracked.push(path)
    }
  }
  return tracked
}

async function readChangelog(): Promise<string> {
  return existsSync(changelogFile) ? await readFile(changelogFile, 'utf8') : title
}

async function writeFiles(version: string, entry: string): Promise<void> {
  for (const [file, keys] of [...versionPlaces, versionPlaceOfDescription()]) {
    await writeFile(file, stamp(await readFile(file, 'utf8'), keys, version))
  }
  await writeFile(changelogFile, addEntry(await readChangelog(), version, entry))
  if (existsSync(acceptedFile)) {
    await writeFile(acceptedFile, withoutEntries(await readFile(acceptedFile, 'utf8')))
  }
  await runApart(process.execPath, [projectPath('scripts/generate.ts')])
  await writeFile(releasedFile, await printReleased(version))
  if (keepsStore) {
    await runApart('npm', ['run', '--silent', storeScript])
  }
}

/** Returns a list in YAML without its entries; the comments above them stay. */
function withoutEntries(text: string): string {
  const [comments = ''] = /^(?:#.*\n|\s*\n)*/.exec(text) ?? []
  return `${comments}[]\n`
}

/** Replaces the version at some keys of a YAML or JSON text; every other character stays. */
function stamp(text: string, keys: readonly string[], version: string): string {
  const node = parseDocument(text).getIn(keys, true)
  if (!isScalar(node) || !node.range) {
    throw new DescriptionError([`there is no ${keys.join('.')} to write the version ${version} to`])
  }
  const [start, end] = node.range
  const quote = /^["']/.exec(text.slice(start, end))?.[0] ?? ''
  return `${text.slice(0, start)}${quote}${version}${quote}${text.slice(end)}`
}

async function printReleased(version: string): Promise<string> {
  const cli = projectPath('node_modules/@redocly/cli/bin/cli.js')
  const args = ['bundle', projectSpec, '--config', projectPath('redocly.yaml')]
  const output = await runApart(process.execPath, [cli, ...args])
  const contract = `${stamp(output.trim(), ['info', 'version'], version)}\n`
  const comment =
    '# The contract as it was last released, in one piece. Written by `npm run release`: do not edit.\n'
  return `${comment}${contract}${printRecord(projectSpec)}`
}
