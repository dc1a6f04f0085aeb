import { expect, test } from 'vitest'
import { readBasePath } from '../../../scripts/pipeline/description.ts'
import { printLiteral } from '../../../scripts/pipeline/literal.ts'

test.for([
  ['https://a.test/v1/', '/v1'],
  ['https://{host}/{version}?a=1#b', '/v3'],
  ['//a.test/b/c', '/b/c'],
  ['v1', '/v1'],
  ['', ''],
] as const)('the server %s has the base path %s', ([url, path]) => {
  expect(readBasePath({ url, variables: { version: { default: 'v3' } } })).toBe(path)
})

test('a literal reads back unchanged', () => {
  const value = JSON.parse(
    '{"__proto__":{"__proto__":"a"},"a-b":[true,null],"0":"\\\\\\"\\u2028\\ud800"}',
  )
  const literal = printLiteral(value)
  expect(literal).toMatch(/^ {2}\["__proto__"\]: /m)
  expect(new Function(`return ${literal}`)()).toEqual(value)
})
