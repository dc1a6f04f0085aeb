import { runChecks } from './checks/run-checks.ts'
import { isRepository } from './diff/git.ts'
import { DescriptionError, runCommand } from './pipeline/failure.ts'
import { shortPath } from './pipeline/project.ts'
import { readReleaseOptions } from './release/command-line.ts'
import { type Plan, planRelease } from './release/plan.ts'
import { recordRelease, refuseDirtyTree } from './release/repository.ts'
import { writeFiles } from './release/write.ts'

await runCommand(async () => {
  const { isDryRun, version } = readReleaseOptions(process.argv.slice(2))
  const hasGit = await isRepository()
  if (hasGit && !isDryRun) await refuseDirtyTree()
  const plan = await planRelease(version, new Date())
  if (!isDryRun) await requireChecks(plan)
  show(plan, hasGit)
  if (isDryRun) return console.log('\nnothing was changed: this was a dry run')
  await release(plan, hasGit)
})

async function requireChecks({ files }: Plan): Promise<void> {
  if (await runChecks({ isTagMissing: files.size === 0 })) return
  const advice = 'fix what is listed above, commit it, and run: npm run release'
  throw new DescriptionError([`nothing was released, because the checks failed; ${advice}`])
}

async function release({ version, entry, files }: Plan, hasGit: boolean): Promise<void> {
  // From here it takes a moment, and Ctrl-C would leave it half done.
  process.on('SIGINT', () => undefined)
  const undo = await writeFiles(files)
  if (!hasGit)
    return console.log(`\nreleased ${version}, without a tag: this is no repository of git`)
  try {
    await recordRelease(version, entry, [...files.keys()])
  } catch (error) {
    await undo()
    throw error
  }
  console.log(`\nreleased ${version}; to publish it: git push --follow-tags`)
}

function show({ version, entry, files }: Plan, hasGit: boolean): void {
  const names = [...files.keys()].map((file) => `  ${shortPath(file)}`)
  const what = names.length > 0 ? 'changes:' : 'is committed already; only its tag is missing'
  console.log([`release ${version} ${what}`, ...names].join('\n'))
  if (hasGit) console.log(`it is tagged v${version}`)
  console.log(`\n${entry}`)
}
