import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type JsonObject, toObject } from '../server/description/json.ts'
import { parseOptions, UsageError } from '../server/process/options.ts'
import { DescriptionError, runCommand } from './pipeline/failure.ts'
import { runGit, tryGit } from './pipeline/git.ts'
import { projectPath } from './pipeline/project.ts'
import { fetchCommit } from './platform/fetch.ts'
import { readMarker } from './platform/marker.ts'
import { planUpgrade, readManifest, type UpgradePlan } from './platform/plan-upgrade.ts'
import { withoutCredentials } from './platform/repository.ts'
import { findRepository, findStart, isOlder } from './platform/starting-point.ts'
import {
  dropping,
  findWaitingUpgrade,
  listUncommitted,
  planBranch,
  requireCleanBranch,
  short,
  type UpgradeBranch,
} from './platform/upgrade-branch.ts'

const usage = `usage: npm run upgrade -- [--to REF] [--from REPOSITORY] [--dry-run]
       npm run upgrade -- --continue

Merges the changes of the platform, since the commit that package.json names, into this project, on a
branch of its own; installs, generates, checks and runs the tests of the platform.
  --to REF           a branch, a tag or a commit of the platform (default: its main branch)
  --from REPOSITORY  where to fetch it, if not from the repository that package.json names
  --dry-run          prints what would be merged, and changes nothing
  --continue         continues after conflicts were resolved`

await runCommand(usage, async () => {
  const { to, from, isDryRun, isContinued } = readArguments()
  if (isContinued) {
    await finish(await findWaitingUpgrade(await readOwnManifest()))
    return
  }

  await requireCleanBranch()
  const manifest = await readOwnManifest()
  const address = from ?? (await findRepository(manifest))
  const repository = withoutCredentials(address)
  console.log(`Fetching the platform from ${repository} …`)
  const target = await fetchCommit(address, to ?? 'HEAD')
  const start = await findStart(manifest, address, target)
  const isBack = await isOlder(target, start)
  if (target === start || (isBack && to === undefined)) {
    console.log(`Nothing is new: this project has the platform of ${short(start)} already.`)
    return
  }

  const plan = await planUpgrade(start, target, { repository, commit: target })
  const age = isBack ? ', which is older' : ''
  console.log(
    `\nPlatform ${short(start)} → ${short(target)}${age}: ${plan.changedFiles} files change.`,
  )
  report(plan)
  await rejectFilesInTheWay(plan)
  if (isDryRun) {
    console.log('\nNothing was changed (--dry-run).')
    return
  }

  const branch = await planBranch(target)
  await apply(plan, branch)
  if (plan.unmerged.length > 0) {
    const advice = 'Resolve the conflicts, git add each file'
    throw new DescriptionError(['', ...waysOn(advice, branch)])
  }
  await finish(branch)
})

function readArguments() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseOptions({
    options: { to: text, from: text, 'dry-run': flag, continue: flag },
  })
  const { to, from, 'dry-run': isDryRun, continue: isContinued } = values
  const hasOtherOptions = to !== undefined || from !== undefined || isDryRun
  if (isContinued && hasOtherOptions) {
    throw new UsageError(`--continue stands alone; ${usage}`)
  }
  return { to, from, isDryRun, isContinued }
}

function report({ mergedFiles, conflicts, keyConflicts, versions, advice }: UpgradePlan): void {
  for (const { version, text } of versions) {
    console.log(`\n## ${version}\n\n${text}`)
  }
  if (mergedFiles.length > 0) {
    console.log('\nMerged with changes of this project:')
  }
  for (const path of mergedFiles) {
    console.log(`  ${path}`)
  }
  if (advice.length > 0) {
    console.log('\nIn the files of the API, to do by hand:')
  }
  for (const line of advice) {
    console.log(`  ${line}`)
  }
  if (keyConflicts.length > 0) {
    console.log('\nBoth sides changed these keys; yours stay:')
  }
  for (const { key, ours, theirs } of keyConflicts) {
    const value = theirs === undefined ? 'removed' : JSON.stringify(theirs)
    console.log(`  package.json: ${key} is ${JSON.stringify(ours)}; in the platform: ${value}`)
  }
  if (conflicts.length > 0) {
    console.log('\nConflicts:')
  }
  for (const conflict of conflicts) {
    console.log(`  ${conflict}`)
  }
}

/** Throws if a new file of the platform would replace one that git ignores. */
async function rejectFilesInTheWay({ tree }: UpgradePlan): Promise<void> {
  const added = ['diff-tree', '-r', '-z', '--no-renames', '--diff-filter=A', '--name-only']
  const paths = splitPaths(await runGit([...added, 'HEAD', tree]))
  if (paths.length === 0) {
    return
  }

  const unknown = ['--literal-pathspecs', 'ls-files', '--others', '-z', '--']
  const existing = splitPaths(await runGit([...unknown, ...paths]))
  if (existing.length === 0) {
    return
  }

  throw new UsageError(
    `move these files first, which git ignores; the platform has files of these names:\n${existing.join('\n')}`,
  )
}

function splitPaths(listed: string): readonly string[] {
  return listed.split('\0').filter((path) => path !== '')
}

/** Switches to a new branch, with the merged files to be committed, or with conflicts to be resolved. */
async function apply({ tree, unmerged }: UpgradePlan, { name }: UpgradeBranch): Promise<void> {
  await runGit(['switch', '--quiet', '--create', name])
  await runGit(['read-tree', '-m', '-u', 'HEAD', tree])
  if (unmerged.length === 0) {
    return
  }

  const paths = [...new Set(unmerged.map((line) => line.split('\t')[1] ?? ''))]
  const removed = paths.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`)
  const stages = unmerged.map((line) => `${line}\0`)
  const input = [...removed, ...stages].join('')
  await runGit(['update-index', '-z', '--index-info'], { input })
}

/** Makes what is made of other files, commits, and checks; reports what is left to do. */
async function finish(branch: UpgradeBranch): Promise<void> {
  const { name, previous } = branch
  // HEAD may have the new manifest: the resolved conflicts may be committed already.
  const packagesBefore = packagesOf(await readManifest(previous))
  const packages = packagesOf(await readOwnManifest())
  if (packages !== packagesBefore) {
    await run('npm', ['install', '--no-audit', '--no-fund'], branch)
  }
  await run('npm', ['run', '--silent', 'generate'], branch)
  await commitAll(branch)

  const failed: string[] = []
  for (const script of ['check', 'test:platform']) {
    console.log(`\nnpm run ${script} …`)
    const status = await tryRun('npm', ['run', '--silent', script])
    if (status !== 0) {
      failed.push(script)
    }
  }

  console.log(`\nThe upgrade is committed on the branch ${name}.`)
  console.log(`To drop it: ${dropping(branch)}`)
  if (failed.length === 0) {
    console.log(`To take it: git switch ${previous} && git merge ${name}`)
    return
  }
  throw new DescriptionError([
    `npm run ${failed.join(' and npm run ')} failed: fix what is named above, and commit on ${name}.`,
  ])
}

/** Commits everything, if there is something to commit: after a check that failed, there may be nothing. */
async function commitAll(branch: UpgradeBranch): Promise<void> {
  await runGit(['add', '--all'])
  if ((await listUncommitted()) === '') {
    return
  }

  const { commit = '' } = readMarker(await readOwnManifest())
  const message = `Take the platform of ${short(commit)}`
  const { status, output, errors } = await tryGit(['commit', '--quiet', '--message', message])
  if (status === 0) {
    return
  }

  // A hook of the project may have rejected the commit.
  const advice = 'Fix it, or commit yourself'
  throw new DescriptionError([
    `git commit failed: ${`${output}\n${errors}`.trim()}`,
    ...waysOn(advice, branch),
  ])
}

/** Returns the lines that say how an upgrade that stopped is continued, and how it is dropped. */
function waysOn(advice: string, branch: UpgradeBranch): readonly string[] {
  return [
    `${advice}, on the branch ${branch.name}, and run: npm run upgrade -- --continue`,
    `To drop the upgrade: ${dropping(branch)}`,
  ]
}

/** Returns what a manifest says of packages, in a form that can be compared. */
function packagesOf({ dependencies, devDependencies, overrides }: JsonObject): string {
  return JSON.stringify([dependencies, devDependencies, overrides])
}

async function readOwnManifest(): Promise<JsonObject> {
  return toObject(JSON.parse(await readFile(projectPath('package.json'), 'utf8')))
}

async function run(program: string, args: readonly string[], branch: UpgradeBranch): Promise<void> {
  console.log(`\n${program} ${args.join(' ')} …`)
  const status = await tryRun(program, args)
  if (status === 0) {
    return
  }

  const advice = 'Fix what it names above'
  throw new DescriptionError([`${program} ${args.join(' ')} failed.`, ...waysOn(advice, branch)])
}

async function tryRun(program: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(program, args, { cwd: projectPath(), stdio: 'inherit' })
  const [status]: unknown[] = await once(child, 'close')
  return status
}
