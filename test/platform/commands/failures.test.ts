import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectFailure, expectSuccess, runScript } from '../../helpers/npm-script.ts'
import { fixtureProject, runInShell } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const noDatabase = /^There is no database \/.*\/not\/yet\/store\.sqlite\. Look at DATABASE_URL\.$/

/** Command lines without a store, the exit status, and the line on standard error. */
const failures: readonly (readonly [line: string, status: 1 | 2, errorOutput: RegExp | string])[] =
  [
    ['keys', 2, /^Name a command: issue, list, rotate, revoke\./],
    ['keys issue', 2, '--plan must be one of hobby, workshop, factory, union.'],
    [
      'keys issue --plan union --per-minute 1.5 --per-day 5',
      2,
      '--plan union needs --per-minute with a whole number from 1.',
    ],
    [
      'keys issue --plan hobby --per-day 5',
      2,
      '--per-minute and --per-day are not for --plan hobby, whose quota is in server/api/plans.ts.',
    ],
    [
      'keys issue --plan hobby --expires 2099-02-30',
      2,
      '--expires must be a date such as 2027-01-31, or a date-time with its zone.',
    ],
    ['keys issue --plan hobby --no\npe', 2, /^Unknown option/],
    [
      'keys rotate key_x --overlap 1h30m',
      2,
      '--overlap must be a number with s, m, h or d, such as 24h.',
    ],
    ['keys list', 1, noDatabase],
    ['usage', 1, noDatabase],
    ['usage --days 91', 2, '--days must be a whole number from 1 to 90.'],
    ['backup copy.sqlite', 1, /^There is no database \/.*\/store\.sqlite\.$/],
    ['restore a b', 2, 'Name one backup: npm run restore -- FILE'],
    ['restore /nowhere/b', 1, 'There is no backup /nowhere/b.'],
    ['restore .', 1, /^Cannot read \S+: EISDIR: illegal operation on a directory, read\.$/],
    [
      'migrate-store --from mysql://me:s3cret@host/db --to sqlite:a',
      2,
      /^--from is "mysql:\/\/\*\*\*@host\/db"\. Allowed: .*$/,
    ],
    [
      'migrate-store --from sqlite:none --to sqlite:a',
      1,
      'There is no database none to copy. Look at --from.',
    ],
    [
      'migrate-store --from postgres://me:s3cret@127.0.0.1:1/x --to sqlite:a',
      1,
      /^Cannot open PostgreSQL at 127\.0\.0\.1:1, (?!.*s3cret)/,
    ],
  ]

test('usage errors of all commands end with status 2, and what is not there with 1; each is one line and creates no file', async () => {
  const place = { url: 'sqlite:not/yet/store.sqlite', cwd: createTemporaryFolder() }
  for (const [line, status, errorOutput] of failures) {
    const [name = '', ...args] = line.split(' ')
    await expectFailure(runScript(place, name, ...args), errorOutput, status)
  }
  expect(readdirSync(place.cwd)).toEqual([])
})

const alone = ['start', 'dev', 'mock', 'check', 'build', 'reference', 'screenshots']

/** Command lines with an option that is given twice. */
const repeated = [
  'keys issue --plan hobby --plan workshop',
  'keys issue --plan=free --plan=free',
  'keys issue --plan hobby --name a --name b',
  'keys list --json --json',
  'keys rotate key_x --overlap 1h --overlap 2h',
  'keys revoke key_x --json --json',
  'backup copy.sqlite --replace --replace',
  'migrate-store --from sqlite:a --from sqlite:b --to sqlite:c',
  'generate --lint none --lint strict',
  'diff HEAD --format json --format text',
  'init --spec a.yaml --spec b.yaml --name museum',
  'release --dry-run --dry-run',
  'upgrade --dry-run --dry-run',
  'usage --days 30 --days 90',
]

test.for(repeated)('npm run %s: an option that is given twice is a usage error', async (line) => {
  const place = { url: 'sqlite:not/yet/store.sqlite', cwd: createTemporaryFolder() }
  const [name = '', ...args] = line.split(' ')
  await expectFailure(runScript(place, name, ...args), /^--[a-z-]+ must be given once\.$/, 2)
  expect(readdirSync(place.cwd)).toEqual([])
})

test.for(alone)('npm run %s takes no arguments', async (name) => {
  const { status, output, errorOutput } = await runInShell(`npm run -s ${name} -- --port 1`)
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(errorOutput).toContain(
    `usage: npm ${name === 'start' ? '' : 'run '}${name}, without arguments`,
  )
})

const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(fixtureProject(), 'package.json'), 'utf8'),
)
// A team may add commands of its own, which run other files.
const ofPlatform = Object.entries(manifest.scripts).filter(([, line]) =>
  / (?:scripts|server)\//.test(line),
)
const scripts = ofPlatform.map(([name]) => name)
// npm runs the first itself; the others are other programs with arguments.
const others = ['prepare', 'format', 'test:platform', 'test:quick', 'test:long']

test.for(scripts.filter((name) => !others.includes(name)))(
  'npm run %s -- --help prints its usage, and does nothing else',
  async (name) => {
    const command = name === 'keys' ? 'issue' : ''
    const output = await expectSuccess(runInShell(`npm run -s ${name} -- ${command} --help`))
    const [usage, ...blocks] = output.split('\n\n')
    expect(usage).toMatch(new RegExp(`^(usage: )?npm (run )?(-s )?${name}\\b`))
    // npm test has the options of vitest, too.
    if (name === 'test') {
      expect(blocks.join('\n')).toContain('--testNamePattern')
    }
    expect(output).not.toMatch(/^(ok|FAILED) /m)
  },
)
