import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

/** Names that somebody between sender and reader may think are others. */
const delicate = [
  ...['é', 'Å', 'ﬁ', '가', 'q̣̇', '①', 'ｶﾞ', 'ẛ̣'].flatMap((text) => [
    text,
    ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form)),
  ]),
  ...['İ', 'ı', 'ß', 'ẞ', 'Σς', 'ǅ'],
  ...['\u00a0', '\u3000', '\u200b', '\u2060', '\ufeff', '\u00ad', ' ', '\t', '\r\n', '\n', '\r'],
  ...['\u202eabc\u202c', '\u2066abc\u2069', 'עברית', 'العربية', 'कि', 'ไทย'],
  ...['\u2028', '\u2029', '\u0085', '\u007f', '\u001b[31m', '\b', '\u{e0041}', '\ufffd', '\uffff'],
  ...['👩‍👩‍👧‍👦', '🇨🇭', '✊🏿', '☎︎', '☎️', '\u{10ffff}', '\u{1fffe}'],
  ...[
    'null',
    'undefined',
    'NaN',
    '0',
    '-1',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    '\\u0000',
  ],
  ...[
    "'",
    '"',
    '\\',
    '`',
    '%',
    '_',
    '%00',
    '%s',
    '$1',
    '#{x}',
    ';--',
    "'||'",
    '\\x00',
    '\\N',
    '<b>&amp;',
  ],
]

/** Names of all characters of the first plane of Unicode but NUL, and of both ends of the others. */
function manyCharacters(): string[] {
  const first = Array.from({ length: 0x10000 }, (_, at) => at)
  const characters = first.filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
  const planes = Array.from({ length: 16 }, (_, at) => 0x10000 * (at + 1))
  const ends = planes.flatMap((plane) => [plane, plane + 0x10000 - 500])
  characters.push(...ends.flatMap((end) => Array.from({ length: 500 }, (_, at) => end + at)))
  return Array.from({ length: Math.ceil(characters.length / 1_000) }, (_, at) =>
    String.fromCodePoint(...characters.slice(1_000 * at, 1_000 * (at + 1))),
  )
}

async function readBack({ client }: TestService): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of client.listPets({ limit: 100 })) names.push(name)
  return names
}

test('a name keeps every character in the form in which it was sent', async () => {
  const service = await startTestService()
  for (const name of delicate) {
    expect((await service.client.createPet({ name, categoryId: 1 })).name).toBe(name)
  }
  expect(await readBack(service)).toEqual(delicate)
})

test('names hold characters of all planes of Unicode', async () => {
  const service = await startTestService()
  const names = manyCharacters()
  expect(new Set(names.join('')).size).toBe(0xffff - 2_048 + 16 * 1_000)
  const made = await Promise.all(
    names.map((name) => service.client.createPet({ name, categoryId: 1 })),
  )
  expect(made.map(({ name }) => name)).toEqual(names)
  expect(new Set(await readBack(service))).toEqual(new Set(names))
})

test('an escaped character and the character itself are one name, and one body', async () => {
  const service = await startTestService()
  const headers = {
    Authorization: `Bearer ${service.apiKey}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'one',
  }
  const texts = ['é🐶/', '\\u00e9\\uD83D\\uDC36\\/', '\\u00E9\\ud83d\\udc36/']
  for (const text of texts) {
    const body = `{"name":"${text}","categoryId":1}`
    const answer = await service.send('/v1/pets', { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ id: 1, name: 'é🐶/' })
  }
  const other = JSON.stringify({ name: 'é🐶/'.normalize('NFD'), categoryId: 1 })
  const answer = await service.send('/v1/pets', { method: 'POST', headers, body: other })
  expect(answer.status).toBe(422)
})
