import { expect, test } from 'vitest'
import { ApiError } from '../../../server/contract/errors.ts'
import {
  type BasicOptions,
  createBasicAuthenticator,
} from '../../../server/security/basic-authenticator.ts'
import { fixturePlans } from '../../fixture-api/plans.ts'
import { startGuardedServer } from './support/guarded-server.ts'

/** Starts a server for the user `ada` with the password `päss:wort`, unless another check is given. */
function start(options: Partial<BasicOptions> = {}) {
  return startGuardedServer(() => {
    return createBasicAuthenticator({
      name: 'staff',
      plans: fixturePlans,
      async checkPassword(user, password) {
        return user === 'ada' && password === 'päss:wort' ? { id: user } : undefined
      },
      ...options,
    })
  })
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`
}

test('a user with the right password has a caller, with all scopes', async () => {
  const { ask } = await start()
  const { body, status } = await ask(basic('ada:päss:wort'))
  expect({ body, status }).toEqual({
    status: 200,
    body: { id: 'user_ada', quota: fixturePlans['hobby'], claims: {} },
  })
  expect(await ask(basic('ada:päss:wort').replace('Basic', 'BASIC '))).toMatchObject({
    status: 200,
  })
})

test('a user may have a plan and scopes', async () => {
  const checkPassword = async () => ({ id: 'eve', plan: 'factory', scopes: ['loans:read'] })
  const { ask } = await start({ checkPassword })
  expect(await ask(basic('eve:'))).toMatchObject({
    status: 200,
    body: { quota: fixturePlans['factory'], scopes: ['loans:read'] },
  })
})

test('credentials that are missing or not valid', async () => {
  const { ask, authenticator } = await start()
  expect(authenticator.challenge).toMatch(/^Basic realm="[a-z-]+", charset="UTF-8"$/)
  for (const fields of [[], ['']]) {
    expect(await ask(...fields)).toMatchObject({ status: 401, body: 'absent' })
  }
  const right = basic('ada:päss:wort')
  for (const fields of [
    ['Basic'],
    [basic('ada:other')],
    [basic('ada')],
    [basic('ada:päss:wort\n')],
    [`Basic ${Buffer.from('ada:päss:wort', 'latin1').toString('base64')}`],
    [right.replace(/=+$/, '')],
    [`${right}A`],
    [right.replace('Basic', 'Bearer')],
    [right, right],
  ]) {
    expect(await ask(...fields), fields.join()).toMatchObject({ status: 401, body: 'invalid' })
  }
})

test('a user name or a password with control characters is invalid, and is not checked', async () => {
  const { ask } = await start({ checkPassword: async (user) => ({ id: user }) })
  expect(await ask(basic('ada:any'))).toMatchObject({ status: 200 })
  for (const text of ['ada:a\n', 'a\0da:a', 'ada:\u0085', 'ada:\x7f']) {
    expect(await ask(basic(text)), JSON.stringify(text)).toMatchObject({
      status: 401,
      body: 'invalid',
    })
  }
})

test('an error of the check is the response, and shows no password', async () => {
  const { ask, logged } = await start({
    async checkPassword() {
      throw new ApiError({ status: 503, code: 'unavailable' }, 'The directory is away.')
    },
  })
  const response = await ask(basic('ada:päss:wort'))
  expect(response).toMatchObject({ status: 503 })
  expect(JSON.stringify([response, logged])).not.toContain('wort')
})
