import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectFailure, expectSuccess, runScript } from '../../helpers/npm-script.ts'
import { project, runInShell } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** Command lines without a store, the exit status, and the line on standard error. */
const failures = [
  ['import pets.txt', 2, 'Choose a format: --format csv or --format ndjson.'],
  ['import /nowhere.csv', 1, /^Cannot read \/nowhere\.csv: .*no such file or directory.*\.$/],
  ['export --status gone', 2, /^Name a status: --status \w+( or --status \w+)+\.$/],
  ['export', 1, /^There is no database \/.*\/not\/yet\/store\.sqlite\. Look at DATABASE_URL\.$/],
  ['import pets.csv --errors a --errors b', 2, '--errors must be given once.'],
  ['export --out a --out b', 2, '--out must be given once.'],
  ['bench --quick --quick', 2, '--quick must be given once.'],
  ['compare-responses --with a --with b', 2, '--with must be given once.'],
] as const

test.for(failures)(
  'npm run %s ends with status %i and one line, and creates no file',
  async ([line, status, errorOutput]) => {
    const cwd = createTemporaryFolder()
    const [name, ...args] = line.split(' ')
    const running = runScript(
      { url: 'sqlite:not/yet/store.sqlite', cwd, project },
      `${name}`,
      ...args,
    )
    await expectFailure(running, errorOutput, status)
    expect(readdirSync(cwd)).toEqual([])
  },
)

test.for(['import', 'export', 'bench', 'keep-store', 'compare-responses'])(
  'npm run %s -- --help prints its usage',
  async (name) => {
    const output = await expectSuccess(runInShell(`npm run -s ${name} -- --help`, project))
    expect(output).toMatch(new RegExp(`^(usage: )?npm run (-s )?${name}\\b`))
  },
)
