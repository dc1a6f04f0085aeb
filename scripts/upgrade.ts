import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type JsonObject, toObject } from '../server/description/json.ts'
import { DescriptionError, parseOptions, runCommand, UsageError } from './pipeline/failure.ts'
import { runGit, tryGit } from './pipeline/git.ts'
import { projectPath } from './pipeline/project.ts'
import { fetchCommit, hasCommit } from './platform/fetch.ts'
import { type Marker, readMarker } from './platform/marker.ts'
import { planUpgrade, readManifest, type UpgradePlan } from './platform/plan-upgrade.ts'

const usage = `usage: npm run upgrade -- [--to REF] [--from REPOSITORY] [--dry-run]
       npm run upgrade -- --continue

Merges the changes of the platform, since the commit that package.json names, into this project, on a
branch of its own; installs, generates, checks and runs the tests of the platform.
  --to REF           a branch, a tag or a commit of the platform (default: its main branch)
  --from REPOSITORY  where to fetch it, if not from the repository that package.json names
  --dry-run          prints what would be merged, and changes nothing
  --continue         continues after conflicts were resolved`

const branchPrefix = 'platform-'

await runCommand(usage, async () => {
  const { to = 'HEAD', from, isDryRun, isContinued } = readArguments()
  if (isContinued) {
    await requireResolved()
    await finish(await currentBranch(), await previousBranch())
    return
  }

  await requireCleanTree()
  const marker = readMarker(await readOwnManifest())
  const repository = from ?? marker.repository
  console.log(`Fetching the platform from ${repository} …`)
  const target = await fetchCommit(repository, to)
  if (!(await hasCommit(marker.commit))) await fetchCommit(repository, marker.commit)
  if (target === marker.commit) {
    console.log(`This project has the platform of ${short(target)} already.`)
    return
  }

  const plan = await planUpgrade(marker.commit, target, { ...marker, repository, commit: target })
  report(plan, marker, target)
  if (isDryRun) {
    console.log('\nNothing was changed (--dry-run).')
    return
  }

  const branch = `${branchPrefix}${short(target)}`
  const previous = await currentBranch()
  await apply(plan, branch)
  if (plan.unmerged.length > 0) {
    throw new DescriptionError([
      '',
      `Resolve the conflicts on the branch ${branch}, git add each file, and run: npm run upgrade -- --continue`,
      `To drop the upgrade: ${dropping(branch, previous)}`,
    ])
  }
  await finish(branch, previous)
})

function readArguments() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseOptions({
    options: { to: text, from: text, 'dry-run': flag, continue: flag },
  })
  const { to, from, 'dry-run': isDryRun, continue: isContinued } = values
  const isMore = to !== undefined || from !== undefined || isDryRun
  if (isContinued && isMore) throw new UsageError(`--continue stands alone; ${usage}`)
  return { to, from, isDryRun, isContinued }
}

function report(
  { changedFiles, mergedFiles, conflicts, versions, advice }: UpgradePlan,
  { commit }: Marker,
  target: string,
): void {
  console.log(`\nPlatform ${short(commit)} → ${short(target)}: ${changedFiles} files change.`)
  for (const { version, text } of versions) console.log(`\n## ${version}\n\n${text}`)
  if (mergedFiles.length > 0) console.log('\nMerged with changes of this project:')
  for (const path of mergedFiles) console.log(`  ${path}`)
  if (advice.length > 0) console.log('\nIn the files of the API, to do by hand:')
  for (const line of advice) console.log(`  ${line}`)
  if (conflicts.length > 0) console.log('\nConflicts; both sides changed the same lines:')
  for (const conflict of conflicts) console.log(`  ${conflict}`)
}

/** Switches to a new branch, with the merged files committed, or with conflicts to resolve. */
async function apply({ tree, unmerged }: UpgradePlan, branch: string): Promise<void> {
  const { status } = await tryGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])
  if (status === 0) {
    throw new UsageError(
      `the branch ${branch} exists, from an upgrade before; git branch -D ${branch} removes it`,
    )
  }
  await runGit(['switch', '--quiet', '--create', branch])
  await runGit(['read-tree', '--reset', '-u', tree])
  if (unmerged.length === 0) return

  const paths = [...new Set(unmerged.map((line) => line.split('\t')[1] ?? ''))]
  const removed = paths.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`)
  const stages = unmerged.map((line) => `${line}\0`)
  const input = [...removed, ...stages].join('')
  await runGit(['update-index', '-z', '--index-info'], { input })
}

/** Makes what is made of other files, commits, and checks; reports what is left to do. */
async function finish(branch: string, previous: string): Promise<void> {
  const before = packagesOf(await readManifest('HEAD'))
  const after = packagesOf(await readOwnManifest())
  if (before !== after) await run('npm', ['install', '--no-audit', '--no-fund'])
  await run('npm', ['run', '--silent', 'generate'])
  await commitAll(`Take the platform of ${branch.slice(branchPrefix.length)}`)

  const failed: string[] = []
  for (const script of ['check', 'test:platform']) {
    console.log(`\nnpm run ${script} …`)
    const status = await tryRun('npm', ['run', '--silent', script])
    if (status !== 0) failed.push(script)
  }

  console.log(`\nThe upgrade is committed on the branch ${branch}.`)
  console.log(`To drop it: ${dropping(branch, previous)}`)
  if (failed.length === 0) {
    console.log(`To take it: git switch ${previous} && git merge ${branch}`)
    return
  }
  throw new DescriptionError([
    `npm run ${failed.join(' and npm run ')} failed: fix what is named above, and commit on ${branch}.`,
  ])
}

/** Commits everything, if there is something to commit: after a check that failed, there may be nothing. */
async function commitAll(message: string): Promise<void> {
  await runGit(['add', '--all'])
  const changes = await runGit(['status', '--porcelain'])
  if (changes !== '') await runGit(['commit', '--quiet', '--message', message])
}

/** Returns what a manifest says of packages, in a form that can be compared. */
function packagesOf({ dependencies, devDependencies, overrides }: JsonObject): string {
  return JSON.stringify([dependencies, devDependencies, overrides])
}

async function readOwnManifest(): Promise<JsonObject> {
  return toObject(JSON.parse(await readFile(projectPath('package.json'), 'utf8')))
}

function dropping(branch: string, previous: string): string {
  return `git switch --force ${previous} && git branch -D ${branch} && npm ci`
}

async function requireCleanTree(): Promise<void> {
  if ((await currentBranch()) === 'HEAD') {
    throw new UsageError(
      'no branch is checked out, to which the upgrade could be merged: git switch one',
    )
  }
  const changes = await runGit(['status', '--porcelain'])
  if (changes === '') return

  throw new UsageError(`commit or discard these changes first:\n${changes}`)
}

async function requireResolved(): Promise<void> {
  const branch = await currentBranch()
  if (!branch.startsWith(branchPrefix)) {
    throw new UsageError(`there is no upgrade to continue on the branch ${branch}`)
  }
  const unmerged = await runGit(['diff', '--name-only', '--diff-filter=U'])
  if (unmerged === '') return

  throw new UsageError(`resolve the conflicts, and git add each of these files:\n${unmerged}`)
}

function currentBranch(): Promise<string> {
  return runGit(['rev-parse', '--abbrev-ref', 'HEAD'])
}

/** Returns the branch from which the current one was switched to. */
function previousBranch(): Promise<string> {
  return runGit(['rev-parse', '--abbrev-ref', '@{-1}'])
}

function short(commit: string): string {
  return commit.slice(0, 8)
}

async function run(program: string, args: readonly string[]): Promise<void> {
  console.log(`\n${program} ${args.join(' ')} …`)
  const status = await tryRun(program, args)
  if (status !== 0) {
    throw new DescriptionError([
      `${program} ${args.join(' ')} failed. Fix what it names above, and run: npm run upgrade -- --continue`,
    ])
  }
}

async function tryRun(program: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(program, args, { cwd: projectPath(), stdio: 'inherit' })
  const [status]: unknown[] = await once(child, 'close')
  return status
}
