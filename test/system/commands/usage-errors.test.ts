import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startProgram } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { type CommandLine, runCommandLines } from './command-lines.ts'

const issue = ['keys', 'issue', '--plan', 'free'] as const
const enterprise = ['keys', 'issue', '--plan', 'enterprise'] as const
const noPlan = '--plan must be one of free, pro, business, enterprise.'
const noLimits = '--per-minute and --per-day go with --plan enterprise alone.'
const needsMinute = '--plan enterprise needs --per-minute with a whole number from 1.'
const needsDay = '--plan enterprise needs --per-day with a whole number from 1.'
const noDate = '--expires must be a date such as 2027-01-31, or a date-time with its zone.'
const noName = '--name must be 1 to 200 characters, without control characters.'
const noOverlap = '--overlap must be a number with s, m, h or d, such as 24h.'
const oneImport = /^Name one file to import\. .*$/
const anyLine = /^.+$/

/** Command lines that are wrong, and the line on standard error. */
const wrong: readonly (readonly [line: CommandLine, complaint: RegExp | string])[] = [
  [['keys'], /^Name a command: issue, list, rotate, revoke\./],
  [['keys', 'toString'], /^Name a command: /],
  [['keys', 'issue'], noPlan],
  [['keys', 'issue', '--plan', 'Free'], noPlan],
  [['keys', 'issue', '--plan', 'toString'], noPlan],
  [[...issue, '--per-minute', '60'], noLimits],
  [[...issue, '--per-day', '5'], noLimits],
  [[...enterprise], needsMinute],
  [[...enterprise, '--per-day', '5'], needsMinute],
  [[...enterprise, '--per-minute', '5'], needsDay],
  [[...enterprise, '--per-minute', '5', '--per-day', '0'], needsDay],
  [[...enterprise, '--per-minute', '1.5', '--per-day', '5'], needsMinute],
  [[...enterprise, '--per-minute=-1', '--per-day', '5'], needsMinute],
  [[...issue, '--expires', '2020-01-01'], '--expires must lie in the future.'],
  ...[
    ...['', 'tomorrow', '2099', '2099-13-01', '2099-02-29', '2099-1-1', '01.02.2099'],
    ...['2099-02-30T00:00Z', '2099-01-01T10:00', '2099-01-01 10:00Z', '2099-01-01T25:00Z'],
    ...['2099-01-01T10:00+25:00', '4070908800000', '+012099-01-01'],
  ].map((date) => [[...issue, '--expires', date], noDate] as const),
  ...['', 'two\nlines', 'a'.repeat(201)].map(
    (name) => [[...issue, '--name', name], noName] as const,
  ),
  [[...issue, '--name', '-x'], anyLine],
  [[...issue, '--no\npe'], anyLine],
  [[...issue, 'extra'], anyLine],
  [['keys', 'list', '--overlap', '24h'], anyLine],
  [['keys', 'rotate'], /^Name one key by its id\./],
  ...['', '24', 'h', '1w', '1.5h', '1h30m', '24H', ' 24h', '1234567s'].map(
    (overlap) => [['keys', 'rotate', 'key_x', '--overlap', overlap], noOverlap] as const,
  ),
  [['keys', 'revoke', 'key_x', 'key_y'], /^Name one key by its id\./],
  [['import'], oneImport],
  [['import', 'a.csv', 'b.csv'], oneImport],
  [['import', 'animals.txt'], 'Say what the file is: --format csv or --format ndjson.'],
  [['import', 'a.csv', '--format', 'xml'], /^Say what the file is: .*$/],
  [['import', 'a.csv', '--nope'], /^Unknown option '--nope'.*$/],
  [['export', '--status', 'gone'], /^Name a status: --status \w+( or --status \w+)+\.$/],
  [['export', '--format', 'xml'], 'Say what to write: --format csv or --format ndjson.'],
  [['export', 'animals.csv'], /^Unexpected argument 'animals\.csv'.*$/],
  [['backup'], 'Name one file to write: npm run backup -- FILE'],
  [['restore', 'a', 'b'], 'Name one backup: npm run restore -- FILE'],
  [['migrate-store', '--from', 'sqlite:a', '--to', 'sqlite:a'], /^Name two stores: .*$/],
  [
    ['migrate-store', '--from', 'mysql://me:s3cret@host/db', '--to', 'sqlite:a'],
    /^--from is "mysql:\/\/\*\*\*@host\/db"\. Allowed: .*$/,
  ],
  [
    ['migrate-store', '--from', 'sqlite:a', '--to', 'sqlite::memory:'],
    /^--to is "sqlite::memory:"\. Allowed: .*$/,
  ],
]

/** Command lines that are right, and an option to give a second time. */
const repeated: readonly (readonly [line: CommandLine, option: string, ...value: string[]])[] = [
  [issue, '--plan', 'pro'],
  [[...issue, '--name=a'], '--name', 'b'],
  [['keys', 'list', '--json'], '--json'],
  [['keys', 'rotate', 'key_x', '--overlap', '1h'], '--overlap', '2h'],
  [['keys', 'revoke', 'key_x', '--json'], '--json'],
  [['import', 'a.csv', '--format', 'csv'], '--format', 'ndjson'],
  [['import', 'a.csv', '--skip-invalid'], '--skip-invalid'],
  [['export', '--status', 'sold'], '--status', 'pending'],
  [['backup', 'a', '--replace'], '--replace'],
  [['migrate-store', '--from', 'sqlite:a', '--to', 'sqlite:b'], '--from', 'sqlite:c'],
]

test('usage errors of all commands end with status 2 and one line, and do nothing', () => {
  const all = [
    ...wrong,
    ...repeated.map(([line, option, ...value]) => {
      const complaint = `${option} was given more than once. Give it once.`
      return [[...line, option, ...value] satisfies CommandLine, complaint] as const
    }),
  ]
  const cwd = createTemporaryFolder()
  const lines = all.map(([line]) => line)
  const ended = runCommandLines(lines, cwd, 'sqlite:not/yet/store.sqlite')
  for (const { complaint } of ended) expect(complaint).toMatch(/^[^\n]+\n$/)
  const found = ended.map(({ complaint, ...rest }, index) => {
    return { line: lines[index], ...rest, complaint: complaint.trimEnd() }
  })
  const expected = all.map(([line, text]) => {
    const complaint = typeof text === 'string' ? text : expect.stringMatching(text)
    return { line, status: 2, output: '', complaint }
  })
  expect(found).toEqual(expected)
  expect(readdirSync(cwd)).toEqual([])
})

test('a usage error is the exit status 2 of the process, with nothing on standard output', async () => {
  const ended = await startProgram('server/commands/keys.ts', ['issue']).ended
  expect(ended).toMatchObject({ status: 2, output: '', complaint: `${noPlan}\n` })
})

test('--expires takes a date or a date-time with its zone, --overlap seconds, minutes, hours or days', () => {
  const dates = [
    ['2099-01-31', '2099-01-31T00:00:00.000Z'],
    ['2096-02-29', '2096-02-29T00:00:00.000Z'],
    ['2099-01-31T10:30Z', '2099-01-31T10:30:00.000Z'],
    ['2099-01-31T10:30:15.25Z', '2099-01-31T10:30:15.250Z'],
    ['2099-01-31T23:30:00-01:00', '2099-02-01T00:30:00.000Z'],
    ['2099-01-31T00:30:00+02:00', '2099-01-30T22:30:00.000Z'],
  ]
  const overlaps = ['0s', '90s', '15m', '24h', '30d']
  const cwd = createTemporaryFolder()
  const url = 'sqlite:store.sqlite'
  const issued = [
    ...dates.map(([expires = '']) => [...issue, '--expires', expires, '--json'] as const),
    ...overlaps.map(() => [...issue, '--json'] as const),
  ]
  const keys = runCommandLines(issued, cwd, url).map(({ output }) => JSON.parse(output))
  expect(keys.slice(0, dates.length).map(({ expiresAt }) => expiresAt)).toEqual(
    dates.map(([, time]) => time),
  )
  const replaced = keys.slice(dates.length)
  const rotated = replaced.map(
    ({ id }, index) => ['keys', 'rotate', id, '--overlap', overlaps[index] ?? ''] as const,
  )
  const from = Date.now()
  const ended = runCommandLines([...rotated, ['keys', 'list', '--json']], cwd, url)
  const listed: { id: string; expiresAt: string }[] = JSON.parse(ended.at(-1)?.output ?? '')
  const most = Date.now() - from
  const ends = replaced.map(({ id }) => listed.find((key) => key.id === id)?.expiresAt ?? '')
  for (const [index, length] of [0, 90_000, 900_000, 86_400_000, 2_592_000_000].entries()) {
    const lasted = Date.parse(ends[index] ?? '') - from
    expect(lasted, overlaps[index]).toBeGreaterThanOrEqual(length)
    expect(lasted, overlaps[index]).toBeLessThanOrEqual(length + most)
  }
})
