import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project, runProgram } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const tests = `
import { test } from 'vitest'
test('runs', () => {})
test('needs a database', ({ skip }) => skip('there is no database'))
`

async function runTests(env: Readonly<Record<string, string>>) {
  const folder = createTemporaryFolder()
  const reporter = join(project, 'scripts/checks/skipped-tests-reporter.ts')
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'some.test.ts'), tests)
  await writeFile(
    join(folder, 'vitest.config.ts'),
    `import { createSkippedTestsReporter } from ${JSON.stringify(reporter)}
    export default { test: { reporters: ['default', createSkippedTestsReporter()] } }`,
  )
  const vitest = join(project, 'node_modules/vitest/vitest.mjs')
  return runProgram(vitest, ['run', '--root', folder], { cwd: folder, env })
}

test('the last line of a run names the skipped test, and why', async () => {
  const { status, output } = await runTests({ CI: '' })
  expect(output.trim().split('\n').at(-1)).toBe('skipped: needs a database: there is no database')
  expect(status).toBe(0)
})

test('with CI=true no test may be skipped', async () => {
  const { status, output } = await runTests({ CI: 'true' })
  expect(output).toContain('skipped: needs a database: there is no database\n')
  expect(status).toBe(1)
})
