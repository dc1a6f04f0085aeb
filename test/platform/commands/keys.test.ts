import { expect, test } from 'vitest'
import { apiKeyMarker } from '../../../server/process/names.ts'
import { isApiKey } from '../../../server/security/api-key.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { expectFailure, expectSuccess } from '../../helpers/npm-script.ts'
import { fixtureProject, startCommand } from '../../helpers/program.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const prefixLength = apiKeyMarker.length + 6
const id = expect.stringMatching(/^key_[0-9A-Za-z]{12}$/)
const prefix = expect.stringMatching(new RegExp(`^${apiKeyMarker}\\w{6}$`))

/** Options of `issue`, and the fields of the key that they decide. */
const issued: readonly (readonly [options: readonly string[], fields: object])[] = [
  [
    ['--plan', 'hobby', '--expires', '2096-02-29'],
    { plan: 'hobby', perMinute: 40, perDay: 600, expiresAt: '2096-02-29T00:00:00.000Z' },
  ],
  [
    ['--plan', 'workshop', '--name', 'Ümit’s 🦊'],
    { plan: 'workshop', perMinute: 200, perDay: 8_000, name: 'Ümit’s 🦊' },
  ],
  [
    ['--plan', 'factory', '--expires', '2099-01-31T00:30:15.25+02:00'],
    { plan: 'factory', perMinute: 900, perDay: 90_000, expiresAt: '2099-01-30T22:30:15.250Z' },
  ],
  [
    ['--plan', 'union', '--per-minute', '5', '--per-day', '10'],
    { plan: 'union', perMinute: 5, perDay: 10 },
  ],
]

test('issue API key: a key for each plan, as JSON with exactly these fields', async () => {
  const keys = createKeysCommand((await createSqliteDatabase()).url)
  const listed: object[] = []
  for (const [options, fields] of issued) {
    const { key, ...shown } = await keys.make('issue', ...options)
    const usual = { id, name: null, prefix, createdAt: time, expiresAt: null, revokedAt: null }
    expect(shown).toStrictEqual({ ...usual, ...fields })
    expect(isApiKey(key)).toBe(true)
    listed.push({ ...shown, usedToday: 0, lastUsedAt: null })
  }
  expect(await keys.list()).toStrictEqual(listed)
})

test('issue API key without --json: only the key is on standard output', async () => {
  const db = await createSqliteDatabase()
  await openAt(db)
  const keys = createKeysCommand(db.url)
  const none = 'There are no keys yet. Issue one: npm run keys -- issue --plan hobby\n'
  expect(await expectSuccess(keys.run('list'))).toBe(none)

  const issued = await keys.run(
    'issue',
    '--plan',
    'hobby',
    '--name',
    'mill',
    '--expires=2099-01-31',
  )
  expect(issued.status).toBe(0)
  expect(isApiKey(issued.output.slice(0, -1))).toBe(true)
  const [, keyId = ''] = /^Key (\w+), /.exec(issued.errorOutput) ?? []
  expect(issued.errorOutput).toBe(
    `Key ${keyId}, plan hobby, until 2099-01-31T00:00:00.000Z. It is shown only once: save it.\n`,
  )
  const [head = '', row = '', ...notes] = (await expectSuccess(keys.run('list'))).split('\n')
  expect(head).toMatch(/^ID +NAME +PLAN +PER MINUTE +PER DAY +PREFIX .*STATE$/)
  expect(row).toMatch(
    new RegExp(`^${keyId} +mill +hobby +40 +600 +${issued.output.slice(0, prefixLength)}… `),
  )
  expect(row).toMatch(/ active until 2099-01-31T00:00:00.000Z$/)
  expect(notes.join('')).not.toContain('key_')
})

test('rotate API key: its name, plan and limits are kept; revoke is repeatable, and the end', async () => {
  const keys = createKeysCommand((await createSqliteDatabase()).url)
  const first = await keys.make('issue', '--plan', 'workshop', '--name', 'mill')
  const { id } = await keys.make('rotate', first.id)
  expect(id).not.toBe(first.id)
  const terms = { name: 'mill', plan: 'workshop', perMinute: 200, perDay: 8_000, expiresAt: null }
  expect((await keys.list())[1]).toMatchObject({ id, ...terms, revokedAt: null })

  const text = `Key ${id} is revoked. Running services reject it within 5 seconds.\n`
  expect(await expectSuccess(keys.run('revoke', id))).toBe(text)
  const again = await expectSuccess(keys.run('revoke', id, '--json'))
  expect(JSON.parse(again)).toMatchObject({ id, revokedAt: time })
  const hasEnded = `Key ${id} has ended already. Issue a new one.`
  await expectFailure(keys.run('rotate', id), hasEnded)
  const unknown = 'There is no key "key_x". See: npm run keys -- list'
  await expectFailure(keys.run('revoke', 'key_x'), unknown)
})

test.for(['/dev/full', '>(true)'])('a key that cannot be written to %s is reported', async (to) => {
  const { url } = await createSqliteDatabase()
  const issue = ['issue', '--plan', 'hobby']
  const { id } = await createKeysCommand(url).make(...issue)
  for (const args of [issue, [...issue, '--json'], ['rotate', id]]) {
    const line = `${process.execPath} server/commands/keys.ts ${args.join(' ')} > ${to}`
    const options = { cwd: fixtureProject(), env: { DATABASE_URL: url } }
    const { status, errorOutput } = await startCommand('bash', ['-c', line], options).ended
    expect(status).toBe(1)
    expect(errorOutput).toMatch(
      /^The key could not be written: .+\. Rotate or revoke key_\w{12}\.$/m,
    )
  }
})
