import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startProgram } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const noPlan = '--plan must be one of free, pro, business, enterprise.'
const oneImport = /^Name one file to import\. .*$/
const issue = ['issue', '--plan', 'free']
const twoStores = /^Name two stores: .*$/
const stores = ['--from', 'sqlite:a', '--to', 'sqlite:b']

/** Arguments that are wrong, and the one line on standard error. */
const wrong: readonly (readonly [
  command: string,
  args: readonly string[],
  line: RegExp | string,
])[] = [
  ['keys', [], /^.+$/],
  ['keys', ['toString'], /^.+$/],
  ['keys', ['issue'], noPlan],
  ['keys', ['issue', '--plan', 'gold'], noPlan],
  [
    'keys',
    ['issue', '--plan', 'enterprise', '--per-minute', '5'],
    '--plan enterprise needs --per-day with a whole number from 1.',
  ],
  [
    'keys',
    [...issue, '--per-day', '5'],
    '--per-minute and --per-day go with --plan enterprise alone.',
  ],
  ['keys', [...issue, '--expires', '2020-01-01'], '--expires must lie in the future.'],
  ['keys', [...issue, '--name', '-x'], /^.+$/],
  ['keys', [...issue, '--no\npe'], /^.+$/],
  ['keys', [...issue, 'extra'], /^.+$/],
  ['keys', ['list', '--overlap', '24h'], /^.+$/],
  ['keys', ['rotate'], /^.+$/],
  [
    'keys',
    ['rotate', 'key_x', '--overlap', '24'],
    '--overlap must be a number with s, m, h or d, such as 24h.',
  ],
  ['keys', ['revoke', 'key_x', 'key_y'], /^.+$/],
  ['import', [], oneImport],
  ['import', ['a.csv', 'b.csv'], oneImport],
  ['import', ['animals.txt'], 'Say what the file is: --format csv or --format ndjson.'],
  ['import', ['a.csv', '--format', 'xml'], /^Say what the file is: .*$/],
  ['import', ['a.csv', '--nope'], /^Unknown option '--nope'.*$/],
  ['export', ['--status', 'gone'], /^Name a status: --status \w+( or --status \w+)+\.$/],
  ['export', ['--format', 'xml'], 'Say what to write: --format csv or --format ndjson.'],
  ['export', ['animals.csv'], /^Unexpected argument 'animals\.csv'.*$/],
  ['backup', [], 'Name one file to write: npm run backup -- FILE'],
  ['restore', ['a', 'b'], 'Name one backup: npm run restore -- FILE'],
  ['migrate-store', ['--from', 'sqlite:a', '--to', 'sqlite:a'], twoStores],
  [
    'migrate-store',
    ['--from', 'mysql://me:s3cret@host/db', '--to', 'sqlite:a'],
    /^--from is "mysql:\/\/\*\*\*@host\/db"\. Allowed: .*$/,
  ],
  [
    'migrate-store',
    ['--from', 'sqlite:a', '--to', 'sqlite::memory:'],
    /^--to is "sqlite::memory:"\. Allowed: .*$/,
  ],
]

/** Arguments that are right, and an option to give a second time. */
const repeated: readonly (readonly [command: string, args: readonly string[], again: string[]])[] =
  [
    ['keys', issue, ['--plan', 'pro']],
    ['keys', [...issue, '--name=a'], ['--name=b']],
    ['keys', [...issue, '--expires', '2099-01-31'], ['--expires', '2099-01-31']],
    ['keys', [...issue, '--per-minute', '1'], ['--per-minute', '2']],
    ['keys', [...issue, '--per-day', '1'], ['--per-day', '2']],
    ['keys', [...issue, '--json'], ['--json']],
    ['keys', ['list', '--json'], ['--json']],
    ['keys', ['rotate', 'key_x', '--overlap', '1h'], ['--overlap', '2h']],
    ['keys', ['rotate', 'key_x', '--json'], ['--json']],
    ['keys', ['revoke', 'key_x', '--json'], ['--json']],
    ['import', ['a.csv', '--format', 'csv'], ['--format', 'ndjson']],
    ['import', ['a.csv', '--errors', 'a'], ['--errors', 'b']],
    ['import', ['a.csv', '--skip-invalid'], ['--skip-invalid']],
    ['import', ['a.csv', '--new-ids'], ['--new-ids']],
    ['import', ['a.csv', '--again'], ['--again']],
    ['export', ['--format', 'csv'], ['--format', 'ndjson']],
    ['export', ['--out', 'a'], ['--out', 'b']],
    ['export', ['--status', 'sold'], ['--status', 'pending']],
    ['backup', ['a', '--replace'], ['--replace']],
    ['migrate-store', stores, ['--from', 'sqlite:c']],
    ['migrate-store', stores, ['--to', 'sqlite:c']],
  ]

const all = [
  ...wrong,
  ...repeated.map(([command, args, again]) => {
    const line = `${again[0]?.replace(/=.*/, '')} was given more than once. Give it once.`
    return [command, [...args, ...again], line] as const
  }),
]

test.for(all)(
  'usage error: %s %j ends with status 2 and one line, and does nothing',
  async ([command, args, line]) => {
    const cwd = createTemporaryFolder()
    const env = { DATABASE_URL: 'sqlite:not/yet/store.sqlite' }
    const ended = await startProgram(`server/commands/${command}.ts`, args, { cwd, env }).ended
    expect(ended).toMatchObject({ status: 2, output: '' })
    expect(ended.complaint.endsWith('\n')).toBe(true)
    const complaint = ended.complaint.slice(0, -1)
    expect(complaint).not.toContain('\n')
    expect(complaint).toEqual(typeof line === 'string' ? line : expect.stringMatching(line))
    expect(readdirSync(cwd)).toEqual([])
  },
)
