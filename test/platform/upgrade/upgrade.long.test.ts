import { expect, test } from 'vitest'
import { startCommand } from '../../helpers/program.ts'
import { commit } from '../../helpers/project-clone.ts'
import { runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import {
  appendLine,
  changePlatform,
  createProject,
  editManifest,
  person,
  prependLine,
  read,
  readManifest,
  sharedFile,
  state,
  write,
} from './support/projects.ts'

test('where both sides changed a line, the upgrade waits for the conflict to be resolved', async () => {
  const { platform, project } = await createProject()
  prependLine(platform, sharedFile, 'One text.')
  await runInCopy(platform, commit)
  prependLine(project, sharedFile, 'Another text.')
  await runInCopy(project, commit)
  // upgrade.test.ts runs the checks.
  editManifest(project, ({ scripts }) => {
    scripts['check'] = 'node --version'
  })
  await runInCopy(project, commit)
  const before = await state(project)

  const { status, output } = await tryInCopy(project, 'npm run -s upgrade')
  expect(status).toBe(1)
  expect(output).toContain(`Conflicts:\n  ${sharedFile}: both sides changed the same lines`)
  expect(read(project, sharedFile)).toContain('<<<<<<<')
  expect(await runInCopy(project, 'git diff --name-only --diff-filter=U')).toBe(`${sharedFile}\n`)
  const early = await tryInCopy(project, 'npm run -s upgrade -- --continue')
  expect(early.output).toContain(
    `resolve the conflicts, and git add each of these files:\n${sharedFile}`,
  )
  await runInCopy(project, `git add ${sharedFile}`)
  const unresolved = await tryInCopy(project, 'npm run -s upgrade -- --continue')
  expect(unresolved.output).toContain(`${sharedFile}:1: leftover conflict marker`)

  const resolved = read(project, sharedFile).replaceAll(/^(?:<{7}|={7}|>{7}).*\n/gm, '')
  await write(project, sharedFile, resolved)
  await runInCopy(project, `git add ${sharedFile}`)
  const done = await runInCopy(project, 'npm run -s upgrade -- --continue')
  expect(done).toContain('To take it: git switch main-line && git merge platform-')
  expect((await state(project)).mainLine).toBe(before.mainLine)
})

test('a fork that kept its API, and so has no commit in package.json, begins at the one that it shares', async () => {
  const { platform } = await createProject()
  const fork = createTemporaryFolder()
  await runInCopy(platform, `git clone --quiet . '${fork}'`)
  await runInCopy(fork, `${person} && git switch --quiet --create main-line`)
  editManifest(fork, ({ scripts }) => {
    scripts['check'] = 'node --version'
    scripts['test:platform'] = 'node --version'
  })
  await write(fork, 'server/api/own.ts', '')
  appendLine(fork, sharedFile, 'A line of the project.')
  await runInCopy(fork, commit)
  const upgrade = `npm run -s upgrade -- --from '${platform}'`
  expect(await runInCopy(fork, upgrade)).toContain('Nothing is new')

  await changePlatform(platform)
  expect(await runInCopy(fork, upgrade)).toContain('The upgrade is committed on the branch')
  expect(read(fork, sharedFile)).toContain('A line of the project.')
  expect(read(fork, sharedFile)).toContain('A line of the platform.')
  expect(await runInCopy(fork, 'git diff main-line -- server/api spec/openapi.yaml')).toBe('')
  const head = (await runInCopy(platform, 'git rev-parse HEAD')).trim()
  expect(readManifest(fork).platform).toEqual({ repository: platform, commit: head })
})

test('an upgrade that is killed leaves the branch of the project as it was', async () => {
  const { platform, project } = await createProject()
  await changePlatform(platform)
  const before = await state(project)

  const options = { cwd: project, env: process.env }
  const upgrade = startCommand('node', ['scripts/upgrade.ts'], options)
  await upgrade.waitForOutput(/generate …/)
  await upgrade.kill('SIGKILL')
  expect((await state(project)).mainLine).toBe(before.mainLine)
  const again = await tryInCopy(project, 'npm run -s upgrade')
  expect(again.output).toMatch(/^the upgrade on this branch has not ended; .* to drop it: git/)

  const branch = (await runInCopy(project, 'git branch --show-current')).trim()
  await runInCopy(project, `git switch --quiet --force main-line && git branch -D ${branch}`)
  expect(await state(project)).toEqual(before)
})
