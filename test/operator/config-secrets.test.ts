import { expect, test } from 'vitest'
import { ConfigRefused, readConfig } from '../../server/config.ts'

const hidden: readonly (readonly [value: string, shown: string])[] = [
  ['postgres://user:s3cret@more@host/db', 'postgres://***@host/db'],
  ['postgres://user:1/s3cret@host/db', 'postgres://***@host/db'],
  ['postgres://user:1?s3cret@host/db', 'postgres://***@host/db'],
  ['postgres://user:%73s3cret@host', 'postgres://***@host'],
  ['postgres://user:s3cret%zz@host/db', 'postgres://***@host/db'],
  ['postgrse://user:s3cret@host/db', 'postgrse://***@host/db'],
  ['mysql://user:s3cret@tricky@host/db', 'mysql://***@host/db'],
  ['mysql://user:s3cret\n@host/db', 'mysql://***@host/db'],
  ['mysql:user:s3cret@host/db', 'mysql:***@host/db'],
  ['user:s3cret@host/db', 'user:***@host/db'],
  ['mysql://host/db?user=a&password=s3cret&ssl=1', 'mysql://host/db?user=a&password=***&ssl=1'],
  ['redis://user:s3cret', 'redis://user:***'],
  ['redis://:s3cret/0', 'redis://:***/0'],
  ['redis://user:s3cret%zz@host:1/0', 'redis://***@host:1/0'],
  ['postgres://db.example:s3cret/animals', 'postgres://db.example:***/animals'],
  ['host=db PASSWORD=s3cret', 'host=db PASSWORD=***'],
]

test.for(hidden)('a refused configuration shows no password of %s', ([value, shown]) => {
  const environment = { DATABASE_URL: value, CORS_ORIGINS: value, REDIS_URL: value }
  const shownThrice = [shown, shown, shown].map((url) =>
    expect.stringContaining(JSON.stringify(url)),
  )
  try {
    readConfig(environment)
    expect.unreachable()
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error
    expect(error.message).not.toContain('s3cret')
    expect(error.message.split('\n')).toEqual(shownThrice)
  }
})
