import { expect, test } from 'vitest'
import { commit } from '../../helpers/project-clone.ts'
import { runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { follow, readPage, readSection } from '../releases/guide.ts'
import {
  changePlatform,
  createProject,
  deletedFile,
  movedFile,
  newFile,
  read,
  readManifest,
  sharedFile,
  state,
  write,
} from './support/projects.ts'

test('--dry-run lists what is new, merged files and what the files of the API have to follow, and changes nothing', async () => {
  const { platform, project } = await createProject()
  await changePlatform(platform)
  await write(project, 'server/api/own.ts', `import '../contract/page-cursor.ts'\n`)
  await runInCopy(project, commit)
  const before = await state(project)

  const planned = await runInCopy(project, 'npm run -s upgrade -- --dry-run')
  expect(planned).toContain('## 99.0.0\n\n- New.')
  expect(planned).toContain(`Merged with changes of this project:\n  ${sharedFile}`)
  const advice = `server/api/own.ts:1 imports ${movedFile}, which is ${newFile} now; write '../contract/page-cursors.ts'`
  expect(planned).toContain(advice)
  expect(await state(project)).toEqual(before)
})

test('docs/your-own-api.md leads to an upgraded project, which keeps its files and changes', async () => {
  const { platform, project } = await createProject()
  await changePlatform(platform)
  const before = await state(project)

  await follow(project, readSection(readPage('your-own-api.md'), 'Upgrade'))
  const head = (await runInCopy(platform, 'git rev-parse HEAD')).trim()
  const branch = (await runInCopy(project, 'git branch --show-current')).trim()
  expect(branch).toBe(`platform-${head.slice(0, 8)}`)
  expect(await runInCopy(project, 'git status --porcelain')).toBe('')
  expect((await state(project)).mainLine).toBe(before.mainLine)

  const shared = read(project, sharedFile)
  expect(shared).toContain('A line of the project.')
  expect(shared).toContain('A line of the platform.')
  expect(await runInCopy(project, 'git ls-files server/contract')).toContain(newFile)
  expect(await runInCopy(project, `git ls-files ${movedFile} ${deletedFile}`)).toBe('')
  const { scripts, platform: marker } = readManifest(project)
  expect(marker.commit).toBe(head)
  expect(scripts).toMatchObject({ own: 'node --version', 'platform-script': 'node --version' })
  expect(scripts['test:platform']).toBe('node --version')
  // The scripts of another API stay removed.
  expect(scripts['bench']).toBeUndefined()

  await runInCopy(project, `git switch --quiet main-line && git merge --quiet ${branch}`)
  expect(await runInCopy(project, 'npm run -s upgrade')).toContain('already')
})

test('an upgrade is rejected where it cannot begin', async () => {
  const { platform, project } = await createProject()
  const before = await state(project)
  for (const [line, message] of [
    ['npm run -s upgrade -- --to missing', /has no missing; --to takes a branch, a tag or a/],
    ['npm run -s upgrade -- --from missing', /^missing cannot be read; give another with --from/],
    [
      'npm run -s upgrade -- --continue',
      /^there is no upgrade to continue on the branch main-line/,
    ],
    ['npm run -s upgrade -- --continue --dry-run', /^--continue stands alone/],
    [
      'echo >> README.md && npm run -s upgrade',
      /^commit or discard these changes first:\n.*README/,
    ],
  ] as const) {
    const { status, output } = await tryInCopy(project, line)
    expect(status, output).toBe(2)
    expect(output).toMatch(new RegExp(message, 'm'))
  }
  await runInCopy(project, 'git checkout --quiet README.md')

  await changePlatform(platform)
  await write(project, '.git/info/exclude', newFile)
  await write(project, newFile, 'Of the project.')
  const inTheWay = await tryInCopy(project, 'npm run -s upgrade')
  expect(inTheWay.output).toContain(
    `which git ignores; the platform has files of these names:\n${newFile}`,
  )
  expect(read(project, newFile)).toBe('Of the project.')

  const detached = await tryInCopy(project, 'git switch --quiet --detach && npm run -s upgrade')
  expect(detached).toMatchObject({ status: 2, output: expect.stringMatching(/^no branch is/) })
  await runInCopy(project, 'git switch --quiet main-line')
  expect(await state(project)).toEqual(before)
})
