import { expect, test } from 'vitest'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'

const framing = 'bad_request_framing'
/** How long a request target may be. */
const longest = 8_000
const filled = (prefix: string, length: number) => prefix + 'a'.repeat(length - prefix.length)

/** Each target with its status, and the code or the place of the violation. */
const targets: readonly (readonly [target: string, status: number, error?: string])[] = [
  [`http://a${tools}`, 200],
  [`HTTPS://A.example:443${tools}?limit=1`, 200],
  [`http://[::1]:3000${tools}`, 200],
  ['http://a?limit=1', 404, 'not_found'],
  [`http://me:secret@a${tools}`, 400, framing],
  ['*', 400, framing],
  [`${tools}#there`, 400, framing],
  [tools.slice(1), 400, framing],
  [`${tools}\0`, 400, framing],
  [filled(`${tools}?`, longest), 400, `/query/${'a'.repeat(92)}…`],
  [filled(`${tools}?`, longest + 1), 414, framing],
  [`${tools}/%31`, 404, 'not_found'],
  [`${tools}/%00`, 400, '/path/toolId'],
  [`${tools}/%2e%2e/tools`, 404, 'not_found'],
  [`${tools}/1%2F2`, 400, '/path/toolId'],
  [`${tools}/%`, 400, '/path/toolId'],
  [`${tools}/%${'%41'.repeat(2_000)}`, 400, '/path/toolId'],
  [`${tools}\\1`, 404, 'not_found'],
  [`${tools}?&&limit=1&`, 200],
  [`${tools}?limit=%EF%BC%91`, 400, '/query/limit'],
  [`${tools}?%6Cimit=1`, 200],
  [`${tools}?li%00mit=1`, 400, '/query/li\0mit'],
  [`${tools}??limit=1`, 400, '/query/?limit'],
]

test('each request target has one response, with its status and the place of a violation', async () => {
  const { origin, apiKey, logged } = await startFixtureService()
  const fields = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n`
  const responses = await Promise.all(
    targets.map(async ([target]) => {
      const { status, body, text } = await sendBytes(
        origin,
        `GET ${target} HTTP/1.1\r\n${fields}\r\n`,
      )
      expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
      // Raw bytes come as Latin-1.
      const content = Buffer.from(body, 'latin1').toString()
      const { code, details } = status === 200 ? {} : JSON.parse(content)
      const error = code === 'invalid_request' ? details[0].path : code
      return [target, error === undefined ? [status] : [status, error]]
    }),
  )
  expect(Object.fromEntries(responses)).toEqual(
    Object.fromEntries(targets.map(([target, ...expected]) => [target, expected])),
  )
  expect(logged).toEqual([])
})
