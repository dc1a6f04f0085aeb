import { expect, test } from 'vitest'

test('what is read has no members for the compiler until it has a declared type', async () => {
  const text = '{"name":"a"}'
  const list: unknown = [{ name: 'a' }]

  // @ts-expect-error: unknown
  expect(JSON.parse(text).name).toBe('a')
  // @ts-expect-error: unknown
  expect((await new Response(text).json()).name).toBe('a')
  // @ts-expect-error: unknown
  expect(Object({ name: 'a' }).name).toBe('a')
  // @ts-expect-error: unknown
  expect(Reflect.get({ tool: { name: 'a' } }, 'tool').name).toBe('a')
  // @ts-expect-error: unknown
  expect(Array.isArray(list) && list[0].name).toBe('a')

  const declared: { readonly name: string } = JSON.parse(text)
  expect(declared.name).toBe('a')
})
