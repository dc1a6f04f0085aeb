import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectFailure, runScript, type ScriptLine } from '../../helpers/npm-script.ts'
import { runInShell, startCommand } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const issue = ['keys', 'issue', '--plan', 'free'] as const
const enterprise = ['keys', 'issue', '--plan', 'enterprise'] as const
const noDate = '--expires must be a date such as 2027-01-31, or a date-time with its zone.'
const noOverlap = '--overlap must be a number with s, m, h or d, such as 24h.'

/** Command lines that are wrong, and the line on standard error. */
const wrong: readonly (readonly [line: ScriptLine, errorOutput: RegExp | string])[] = [
  [['keys'], /^Name a command: issue, list, rotate, revoke\./],
  [['keys', 'issue'], '--plan must be one of free, pro, business, enterprise.'],
  [['keys', 'issue', '--plan', 'toString'], /^--plan must be one of /],
  [[...issue, '--per-day', '5'], '--per-minute and --per-day are only for --plan enterprise.'],
  [
    [...enterprise, '--per-minute', '1.5', '--per-day', '5'],
    '--plan enterprise needs --per-minute with a whole number from 1.',
  ],
  [[...issue, '--expires', '2020-01-01'], '--expires must lie in the future.'],
  [[...issue, '--expires', '2099-02-30'], noDate],
  [[...issue, '--expires', '2099-01-01T10:00'], noDate],
  [
    [...issue, '--name', 'two\nlines'],
    '--name must be 1 to 200 characters, without control characters.',
  ],
  [[...issue, '--no\npe'], /^Unknown option/],
  [['keys', 'list', '--json', '--json'], '--json was given more than once. Give it once.'],
  [['keys', 'rotate', 'key_x', '--overlap', '1h30m'], noOverlap],
  [['keys', 'revoke', 'key_x', 'key_y'], /^Name one key by its id\./],
  [['import'], /^Name one file to import\./],
  [['import', 'animals.txt'], 'Choose a format: --format csv or --format ndjson.'],
  [['export', '--status', 'gone'], /^Name a status: --status \w+( or --status \w+)+\.$/],
  [['export', '--format', 'xml'], 'Choose a format: --format csv or --format ndjson.'],
  [['backup'], 'Name one file to write: npm run backup -- FILE'],
  [['restore', 'a', 'b'], 'Name one backup: npm run restore -- FILE'],
  [['migrate-store', '--from', 'sqlite:a', '--to', 'sqlite:a'], /^Name two stores: .*$/],
  [
    ['migrate-store', '--from', 'mysql://me:s3cret@host/db', '--to', 'sqlite:a'],
    /^--from is "mysql:\/\/\*\*\*@host\/db"\. Allowed: .*$/,
  ],
]

test('usage errors of all commands end with status 2 and one line, and do nothing', async () => {
  const cwd = createTemporaryFolder()
  for (const [line, text] of wrong) {
    await expectFailure(runScript(line, 'sqlite:not/yet/store.sqlite', cwd), text, 2)
  }
  expect(readdirSync(cwd)).toEqual([])
})

const alone = ['start', 'dev', 'mock', 'check', 'build', 'reference', 'screenshots']

test.for(alone)('npm run %s takes no arguments', async (name) => {
  const { status, output, errorOutput } = await runInShell(`npm run -s ${name} -- --port 1`)
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(errorOutput).toContain(
    `usage: npm ${name === 'start' ? '' : 'run '}${name}, without arguments`,
  )
})

const tools = ['generate', 'diff', 'init', 'release', 'bench', 'compare-responses'] as const

test.for([...tools, ...alone.slice(1)])('npm run %s -- --help prints its usage', async (name) => {
  const { status, output, errorOutput } = await runInShell(`npm run -s ${name} -- --help`)
  expect({ status, errorOutput }).toEqual({ status: 0, errorOutput: '' })
  expect(output).toContain(`npm run ${name}`)
})

test('a reader that has closed the pipe is no error', async () => {
  const line = `{ sleep 1; ${process.execPath} scripts/check.ts --help; } | true`
  expect(await startCommand('bash', ['-c', line]).ended).toMatchObject({ errorOutput: '' })
})
