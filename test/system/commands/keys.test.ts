import { expect, test } from 'vitest'
import { isApiKey } from '../../../server/auth/api-key.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { createKeysCommand, freshFile } from '../../helpers/keys-command.ts'
import { expectFailure } from '../../helpers/npm-script.ts'
import { startCommand } from '../../helpers/program.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^key_[0-9A-Za-z]{12}$/)

test('issue API key: a key for each plan, as JSON with exactly these fields', async () => {
  const keys = createKeysCommand(`sqlite:${freshFile()}`)
  const limits = ['--per-minute', '5', '--per-day', '10']
  const made = [
    await keys.make('issue', '--plan', 'free', '--expires', '2096-02-29'),
    await keys.make('issue', '--plan', 'pro', '--name', 'Ümit’s 🦊'),
    await keys.make('issue', '--plan', 'business', '--expires', '2099-01-31T00:30:15.25+02:00'),
    await keys.make('issue', '--plan', 'enterprise', ...limits),
  ]
  const usual = { id, name: null, createdAt: time, expiresAt: null, revokedAt: null }
  const expected = [
    { ...usual, plan: 'free', perMinute: 60, perDay: 1_000, expiresAt: '2096-02-29T00:00:00.000Z' },
    { ...usual, plan: 'pro', perMinute: 300, perDay: 10_000, name: 'Ümit’s 🦊' },
    {
      ...usual,
      plan: 'business',
      perMinute: 1_000,
      perDay: 100_000,
      expiresAt: '2099-01-30T22:30:15.250Z',
    },
    { ...usual, plan: 'enterprise', perMinute: 5, perDay: 10 },
  ].map((one) => ({ ...one, prefix: expect.stringMatching(/^ask_\w{6}$/) }))
  expect(made).toStrictEqual(expected.map((one) => ({ ...one, key: expect.any(String) })))
  expect(made.map(({ key }) => isApiKey(key))).toEqual([true, true, true, true])
  const unused = { usedToday: 0, lastUsedAt: null }
  expect(await keys.list()).toStrictEqual(
    made.map(({ key: _, ...shown }) => ({ ...shown, ...unused })),
  )
})

test('issue API key without --json: only the key is on standard output', async () => {
  const file = freshFile()
  const url = `sqlite:${file}`
  const keys = createKeysCommand(url)
  const none = `There is no database ${file}. Look at DATABASE_URL.`
  await expectFailure(keys.run('list'), none)
  await openAt({ url })
  const empty = await keys.run('list')
  expect(empty.output).toBe('There are no keys yet. Issue one: npm run keys -- issue --plan free\n')

  const issued = await keys.run('issue', '--plan', 'free', '--name', 'Rex', '--expires=2099-01-31')
  expect(issued.status).toBe(0)
  expect(isApiKey(issued.output.slice(0, -1))).toBe(true)
  const [, keyId = ''] = /^Key (\w+), /.exec(issued.errorOutput) ?? []
  expect(issued.errorOutput).toBe(
    `Key ${keyId}, plan free, until 2099-01-31T00:00:00.000Z. It is shown only once: save it.\n`,
  )

  const listed = await keys.run('list')
  const [head = '', row = '', ...notes] = listed.output.split('\n')
  expect(head).toMatch(/^ID +NAME +PLAN +PER MINUTE +PER DAY +PREFIX .*STATE$/)
  expect(row).toMatch(new RegExp(`^${keyId} +Rex +free +60 +1000 +${issued.output.slice(0, 10)}… `))
  expect(row).toMatch(/ active until 2099-01-31T00:00:00.000Z$/)
  expect(notes.join('')).not.toContain('key_')
})

test('rotate API key with an overlap and without, and revoke it', async () => {
  const keys = createKeysCommand(`sqlite:${freshFile()}`)
  const first = await keys.make('issue', '--plan', 'pro', '--name', 'Rex')
  const from = Date.now()
  const second = await keys.make('rotate', first.id, '--overlap', '24h')
  const third = await keys.make('rotate', second.id)
  const { id: _, key, createdAt, prefix, ...terms } = { prefix: '', ...first }
  expect(third).toMatchObject(terms)
  expect(new Set([first.id, second.id, third.id, first.key, second.key, third.key]).size).toBe(6)

  const ends = (await keys.list()).map(({ expiresAt }) => expiresAt && Date.parse(expiresAt) - from)
  expect(ends).toEqual([expect.any(Number), expect.any(Number), null])
  expect(ends[0]).toBeGreaterThanOrEqual(86_400_000)
  expect(ends[0]).toBeLessThan(86_460_000)
  expect(ends[1]).toBeLessThan(60_000)

  const revoked = await keys.run('revoke', third.id)
  const text = `Key ${third.id} is revoked. Running services reject it within 5 seconds.\n`
  expect(revoked).toMatchObject({ status: 0, output: text, errorOutput: '' })
  const again = await keys.run('revoke', third.id, '--json')
  expect(JSON.parse(again.output)).toMatchObject({ id: third.id, revokedAt: time })

  const hasEnded = `Key ${third.id} has ended already. Issue a new one.`
  await expectFailure(keys.run('rotate', third.id), hasEnded)
  const unknown = 'There is no key "key_x". See: npm run keys -- list'
  await expectFailure(keys.run('revoke', 'key_x'), unknown)
})

test.for(['/dev/full', '>(true)'])('a key that cannot be written to %s is reported', async (to) => {
  const url = `sqlite:${freshFile()}`
  const issue = ['issue', '--plan', 'free']
  const { id } = await createKeysCommand(url).make(...issue)
  for (const args of [issue, [...issue, '--json'], ['rotate', id]]) {
    const line = `${process.execPath} server/commands/keys.ts ${args.join(' ')} > ${to}`
    const env = { DATABASE_URL: url }
    const { status, errorOutput } = await startCommand('bash', ['-c', line], { env }).ended
    expect(status).toBe(1)
    expect(errorOutput).toMatch(
      /^The key could not be written: .+\. Rotate or revoke key_\w{12}\.$/m,
    )
  }
})

test('--help prints the usage of keys with status 0', async () => {
  const help = await createKeysCommand(`sqlite:${freshFile()}`).run('issue', '--help')
  expect(help).toMatchObject({ status: 0, errorOutput: '' })
  expect(help.output).toContain('npm run keys -- rotate ID [--overlap 24h] [--json]')
})
