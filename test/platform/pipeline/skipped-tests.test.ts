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

test.each([
  ['', 0],
  ['true', 1],
])(
  'a run with CI=%s names the skipped test, and why, and has the status %i',
  async (CI, status) => {
    const folder = createTemporaryFolder()
    const reporter = join(project, 'test/helpers/skipped-tests-reporter.ts')
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'some.test.ts'), tests)
    await writeFile(
      join(folder, 'vitest.config.ts'),
      `import { createSkippedTestsReporter } from ${JSON.stringify(reporter)}
    export default { test: { reporters: ['default', createSkippedTestsReporter()] } }`,
    )
    const vitest = join(project, 'node_modules/vitest/vitest.mjs')
    const ended = await runProgram(vitest, ['run', '--root', folder], { cwd: folder, env: { CI } })
    expect(ended.output).toMatch(/\nskipped: needs a database: there is no database\n[^\n]*\n?$/)
    expect(ended.status).toBe(status)
  },
)
