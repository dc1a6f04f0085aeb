import { expect, test } from 'vitest'
import { maxNameLength, namePattern } from './support/contract.ts'
import { startAnimalStore } from './support/service.ts'

/** Names that a database, a parser or a terminal may change. */
const names = [
  ' leading and trailing ',
  'tab\tnewline\nquote"backslash\\',
  "Robert'); DROP TABLE pets;--",
  '\u0001\u007f\uFDD0\uFFFF',
  '🐕‍🦺',
  '🐾'.repeat(maxNameLength),
  // Composed and decomposed letters, and those that have a compatible form.
  '\u00e9\uac00',
  'e\u0301\u1100\u1161',
  'ﬁ①ｶﾞẛ̣',
  // Blanks alone.
  ' ',
  '\u3000',
  '\ufeff',
  '\r\n',
  '\u202eabc\u202c',
  'עברית',
  'कि',
  'null',
  'NaN',
  '0',
  '[]',
  '__proto__',
  '%00',
  '$1',
  "'||'",
  '\\x00',
  '\\N',
]

// Many generators and testers compile patterns without the flag.
test.for(['u', ''])(
  'the pattern of a name allows every character but NUL and lone surrogates, with the flags "%s"',
  (flags) => {
    const pattern = new RegExp(namePattern, flags)
    for (const name of [...names, 'Rex 🐶', '\u{10FFFF}\u{10000}']) {
      expect(name).toMatch(pattern)
    }
    for (const part of ['\0', '\uD83D', '\uDC36', '\uDC36\uD83D', '\uD83D\uD83D\uDC36']) {
      for (const name of [part, `Rex ${part}`, `${part} Rex`, `🐶${part}🐶`]) {
        expect(name).not.toMatch(pattern)
      }
    }
  },
)

test('a name keeps every character unchanged', async () => {
  const service = await startAnimalStore()
  const created = await Promise.all(
    names.map((name) => service.client.createPet({ name, categoryId: 1 })),
  )
  expect(created.map(({ name }) => name)).toEqual(names)
  const byId = created.toSorted((one, other) => one.id - other.id)
  expect(await Array.fromAsync(service.client.listPets())).toEqual(byId)
})
