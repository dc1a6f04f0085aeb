import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectFailure, runScript, type ScriptLine } from '../../helpers/npm-script.ts'
import { runInShell } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const issue = ['keys', 'issue', '--plan', 'free'] as const

/** Command lines that are wrong, and the line on standard error. */
const wrong: readonly (readonly [line: ScriptLine, errorOutput: RegExp | string])[] = [
  [['keys'], /^Name a command: issue, list, rotate, revoke\./],
  [['keys', 'issue'], '--plan must be one of free, pro, business, enterprise.'],
  [
    ['keys', 'issue', '--plan', 'enterprise', '--per-minute', '1.5', '--per-day', '5'],
    '--plan enterprise needs --per-minute with a whole number from 1.',
  ],
  [
    [...issue, '--expires', '2099-02-30'],
    '--expires must be a date such as 2027-01-31, or a date-time with its zone.',
  ],
  [[...issue, '--no\npe'], /^Unknown option/],
  [
    ['keys', 'rotate', 'key_x', '--overlap', '1h30m'],
    '--overlap must be a number with s, m, h or d, such as 24h.',
  ],
  [['import', 'animals.txt'], 'Choose a format: --format csv or --format ndjson.'],
  [['export', '--status', 'gone'], /^Name a status: --status \w+( or --status \w+)+\.$/],
  [['restore', 'a', 'b'], 'Name one backup: npm run restore -- FILE'],
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
