import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitAll, createRepository, editText, git } from '../diff/support/repository.ts'
import { generateIn } from '../edits/support/compiling.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { createFolder, project } from '../pipeline/support/workspace.ts'
import { runScript } from './support/runner.ts'
import { scriptOf } from './support/workflow-files.ts'

const reworded = set('paths /pets get summary', 'List all the animals')

test('what the spec compiles into is committed where the branch may be written to', async () => {
  const { origin, branch } = await createBranch()
  await generateIn(branch)
  // It goes from one job to the other as a file there.
  const RUNNER_TEMP = await createFolder()
  const compared = await runScript(branch, scriptOf('regenerate.yml', 'generate'), {
    EVENT: 'push',
    RUNNER_TEMP,
  })
  expect(compared).toMatchObject({ status: 0, outputs: 'stale=true\n' })

  const fresh = await cloneBranch(origin)
  await writeFile(join(fresh, 'spec/unrelated.txt'), 'mine')
  const committed = await runScript(fresh, scriptOf('regenerate.yml', 'commit'), {
    RUNNER_TEMP,
    BRANCH: 'edit',
  })
  expect(committed).toMatchObject({ status: 0, asked: 'workflow run check.yml --ref edit\n' })
  const log = await git(origin, 'log', '-1', '--name-only', '--format=%s by %an', 'edit')
  const [title, , ...files] = log.split('\n')
  expect(title).toBe('Compile generated/ from the spec by github-actions[bot]')
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !file.startsWith('generated/'))).toEqual([])
  expect(await generateIn(fresh)).toEqual([])
})

test('a branch that is up to date, or that moved on meanwhile, gets no commit', async () => {
  const { origin, branch } = await createBranch()
  const untouched = await runScript(branch, scriptOf('regenerate.yml', 'generate'), {
    EVENT: 'push',
  })
  expect(untouched).toMatchObject({ status: 0, outputs: '' })
  expect(untouched.output).toContain('generated/ is what the spec compiles into.')

  await generateIn(branch)
  const RUNNER_TEMP = await createFolder()
  await runScript(branch, scriptOf('regenerate.yml', 'generate'), { EVENT: 'push', RUNNER_TEMP })
  const fresh = await cloneBranch(origin)
  await git(origin, 'update-ref', 'refs/heads/edit', await addCommit(branch))
  const late = await runScript(fresh, scriptOf('regenerate.yml', 'commit'), {
    RUNNER_TEMP,
    BRANCH: 'edit',
  })
  expect(late.status).toBe(1)
  expect(late.output).toContain('::error::generated/ is stale and could not be pushed; run npm run')
  expect(late.asked).toBe('')
})

test('a pull request from a fork fails with the difference', async () => {
  const { branch } = await createBranch()
  await generateIn(branch)
  const { status, output } = await runScript(branch, scriptOf('regenerate.yml', 'generate'), {
    EVENT: 'pull_request',
  })
  expect(status).toBe(1)
  expect(output).toMatch(/^\+ +"summary": "List all the animals",$/m)
  expect(output).toContain('::error::generated/ is stale; run npm run generate and commit')
})

test('a report that is too long for a comment ends with a whole line, and says where the rest is', async () => {
  const RUNNER_TEMP = await createFolder()
  const script = scriptOf('contract.yml', 'compare')
  const cut = script.slice(script.indexOf('# A comment holds'))
  const row = `| minor | ${'ä'.repeat(50)} |`
  await writeFile(join(RUNNER_TEMP, 'report.md'), `${row}\n`.repeat(1_000))
  const { outputs } = await runScript(RUNNER_TEMP, cut, { RUNNER_TEMP })
  const [, ...lines] = outputs.trimEnd().split('\n')
  expect(lines.splice(-3)).toEqual(['', 'The rest is on the page of the run.', expect.any(String)])
  expect(new Set(lines)).toEqual(new Set([row]))
  expect(Buffer.byteLength(lines.join('\n'))).toBeGreaterThan(59_000)
  expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(60_000)
})

test('reviewers get the change of the contract on the page, and in one comment', async () => {
  const { branch } = await createBranch()
  const base = await git(branch, 'rev-parse', 'HEAD~1')
  const compared = await runScript(branch, scriptOf('contract.yml', 'compare'), { BASE: base })
  expect(compared.status).toBe(0)
  const row = '| patch | `GET /pets` | The summary of GET /pets was reworded. |'
  expect(compared.summary).toContain(row)
  expect(compared.output).toContain('::notice file=spec/openapi.yaml,title=patch%3A GET /pets::')
  const [start = '', ...lines] = compared.outputs.trimEnd().split('\n')
  expect(start).toBe(`report<<${lines.pop()}`)
  const report = lines.join('\n')
  expect(report).toContain(row)

  const comment = scriptOf('contract.yml', 'comment')
  const places = { COMMENTS: 'repos/o/r/issues/7/comments', COMMENT: 'repos/o/r/issues/comments' }
  const first = await runScript(branch, comment, { ...places, REPORT: report })
  expect(first.asked).toMatch(
    /^api --paginate \S+ --jq .*\napi \S+\/7\/comments --raw-field body=<!--/,
  )
  const next = await runScript(branch, comment, { ...places, REPORT: report, KNOWN: '42' })
  expect(next.asked).toContain(
    '\napi --method PATCH repos/o/r/issues/comments/42 --raw-field body=',
  )
})

/** A clone of a repository on a branch that has one edit of the spec more. */
async function createBranch() {
  const repository = await createRepository()
  const origin = join(await createFolder(), 'origin.git')
  await git(repository, 'clone', '--quiet', '--bare', repository, origin)
  const branch = await clone(origin, 'main')
  await git(branch, 'checkout', '--quiet', '-b', 'edit')
  await editText(branch, reworded)
  await commitAll(branch, 'Reword')
  await git(branch, 'push', '--quiet', 'origin', 'edit')
  return { origin, branch }
}

function cloneBranch(origin: string): Promise<string> {
  return clone(origin, 'edit')
}

async function clone(origin: string, branch: string): Promise<string> {
  const folder = join(await createFolder(), 'clone')
  await git(project, 'clone', '--quiet', '--branch', branch, origin, folder)
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n')
  return folder
}

async function addCommit(branch: string): Promise<string> {
  await git(branch, 'reset', '--quiet', '--hard')
  await git(branch, 'commit', '--quiet', '--allow-empty', '--message', 'Go on')
  await git(branch, 'push', '--quiet', 'origin', 'edit')
  return git(branch, 'rev-parse', 'HEAD')
}
