import { expect, test } from 'vitest'
import { printCurl } from '../../../server/commands/sample-curl.ts'

const url = 'http://127.0.0.1:3000/v1/tools'
const schemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2' },
  login: { type: 'http', scheme: 'basic' },
  gateway: { type: 'mutualTLS' },
  header: { type: 'apiKey', in: 'header', name: 'x-key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
}
type Security = readonly Readonly<Record<string, readonly string[]>>[]

test.each<[Security, string]>([
  [[], `curl ${url}`],
  [[{}], `curl ${url}`],
  [[{ bearer: [] }], `curl -H 'Authorization: Bearer lib_1' ${url}`],
  [[{ oauth: ['read'] }], `curl -H 'Authorization: Bearer lib_1' ${url}`],
  [[{ gateway: [] }], `curl -H 'Authorization: Bearer lib_1' ${url}`],
  [[{ login: [] }], `curl -u 'me:lib_1' ${url}`],
  [[{ header: [] }], `curl -H 'x-key: lib_1' ${url}`],
  [[{}, { query: [] }], `curl '${url}?key=lib_1'`],
  [[{ cookie: [] }, { oauth: [] }], `curl -b 'session=lib_1' ${url}`],
  [
    [{ oauth: [], header: [], query: [] }],
    `curl -H 'Authorization: Bearer lib_1' -H 'x-key: lib_1' '${url}?key=lib_1'`,
  ],
])('the request to try has the key where an operation requires it: %j', (security, command) => {
  expect(printCurl(url, security, schemes, 'lib_1')).toBe(command)
})
