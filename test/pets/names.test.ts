import { expect, test } from 'vitest'
import { startTestService } from '../helpers/service.ts'
import { maxNameLength } from './support/contract.ts'

/** Names that a database, a parser or a terminal may change. */
const delicate = [
  ...[' leading and trailing ', 'tab\tnewline\nquote"backslash\\', '\uFDD0\uFFFF'],
  ...['🐕‍🦺', '🐾'.repeat(maxNameLength), "Robert'); DROP TABLE animals;--"],
  ...['é', 'Å', 'ﬁ', '가', 'q̣̇', '①', 'ｶﾞ', 'ẛ̣'].flatMap((text) => [
    text,
    ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form)),
  ]),
  // Blanks alone.
  ...[' ', '\u3000', '\ufeff', '\t', '\r\n', '\n', '\r'],
  ...['\u202eabc\u202c', '\u2066abc\u2069', 'עברית', 'العربية', 'कि', 'ไทย'],
  ...['null', 'undefined', 'NaN', '0', '-1', 'true', '[]', '{}', '__proto__', 'constructor'],
  ...['%00', '%s', '$1', '#{x}', ';--', "'||'", '\\x00', '\\N'],
]

/** Names of all characters of the first plane of Unicode but NUL, and of both ends of the others. */
function manyCharacters(): string[] {
  const first = Array.from({ length: 0x10000 }, (_, at) => at)
  const characters = first.filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
  const planes = Array.from({ length: 16 }, (_, at) => 0x10000 * (at + 1))
  const ends = planes.flatMap((plane) => [plane, plane + 0x10000 - 500])
  characters.push(...ends.flatMap((end) => Array.from({ length: 500 }, (_, at) => end + at)))
  return Array.from({ length: Math.ceil(characters.length / maxNameLength) }, (_, at) =>
    String.fromCodePoint(...characters.slice(maxNameLength * at, maxNameLength * (at + 1))),
  )
}

test('a name keeps every character unchanged, of all planes of Unicode', async () => {
  const service = await startTestService()
  const many = manyCharacters()
  expect(new Set(many.join('')).size).toBe(0xffff - 2_048 + 16 * 1_000)
  const names = [...delicate, ...many]
  const created = await Promise.all(
    names.map((name) => service.client.createPet({ name, categoryId: 1 })),
  )
  expect(created.map(({ name }) => name)).toEqual(names)
  for (const { id, name } of created.slice(0, delicate.length)) {
    expect(await (await service.send(`/v1/pets/${id}`)).json()).toMatchObject({ id, name })
  }
  const byId = created.toSorted((one, other) => one.id - other.id)
  expect(await Array.fromAsync(service.client.listPets())).toEqual(byId)
})
