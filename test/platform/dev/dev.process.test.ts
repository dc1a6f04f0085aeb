import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { atKey, locate, rename as renameKey, set } from '../pipeline/support/spec-edit.ts'
import { readFolder } from '../pipeline/support/workspace.ts'
import { addUnhandled, changeLimit, limitIn, shareLoop } from './support/dev-loop.ts'

const handlers = 'server/animals/handlers.ts'
const newVersion = set('info version', '99.0.0')
const end = / {2}\d+\.\d\d s: .*\n/
const { copy, loop, original, change, changeSpec, blockAfter, restore } = shareLoop()

async function status(path: string): Promise<number> {
  return (await loop().send(path)).status
}

const highest = () => limitIn(original())

test('a valid save is one line in the terminal, and is served', async () => {
  expect(await status(`/pets?limit=${highest() + 1}`)).toBe(400)
  const block = await blockAfter(() => changeSpec(changeLimit(1), newVersion), end)
  const { version } = parse(original()).info
  expect(block.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d {2}spec\/openapi\.yaml {2}ok {2}minor since \S+ {2}\d+\.\d\d s: lint \d+\.\d\d, /,
    ),
  ])
  expect(block).toContain(`since ${version} `)
  expect(await status(`/pets?limit=${highest() + 1}`)).toBe(200)
})

test.for([
  ['a breaking change', 'breaking', -1, (major: number) => `${major + 1}.0.0`],
  ['a compatible change', 'minor', 1, (major: number, minor: number) => `${major}.${minor + 1}.0`],
] as const)(
  'after %s the block says what changed, and which version is needed',
  async ([, label, by, next]) => {
    const block = await blockAfter(() => changeSpec(changeLimit(by)), end)
    const { version } = parse(original()).info
    const [major, minor] = version.split('.').map(Number)
    expect(block).toMatch(new RegExp(`^  ${label} +\\S.*limit`, 'm'))
    expect(block).toContain(`${next(major, minor)} is needed after ${version} (`)
    expect(block).toMatch(new RegExp(`^  version +.*, not ${version}$`, 'm'))
    expect(await status(`/pets?limit=${highest() + by}`)).toBe(200)
    expect(await status(`/pets?limit=${highest() + by + 1}`)).toBe(400)
  },
)

test('a lint error is reported with file, line and column; the last good spec is served', async () => {
  const before = await readFolder(join(copy(), 'generated'))
  const misspelled = renameKey('paths /pets get summary', 'sumary')
  let text = ''
  const block = await blockAfter(async () => {
    text = await changeSpec(misspelled, changeLimit(-1))
  }, end)
  const { line, col } = locate(text, atKey('paths /pets get sumary'))
  expect(block).toMatch(
    new RegExp(`^  spec +spec/openapi\\.yaml:${line}:${col} \\S+ .*sumary`, 'm'),
  )
  // What an invalid spec would change for clients is not reported.
  expect(block).not.toMatch(/breaking|is needed/)
  expect(await readFolder(join(copy(), 'generated'))).toEqual(before)
  expect(await status(`/pets?limit=${highest()}`)).toBe(200)
})

test('an operation without a handler has sample responses, and the line of code to change is reported', async () => {
  const block = await blockAfter(() => changeSpec(addUnhandled), end)
  const [, file = '', line = '', message = ''] =
    /^ {2}code +(\S+):(\d+):\d+ (.*)$/m.exec(block) ?? []
  expect(file).toBe(handlers)
  expect(message).toContain('listPets1')
  expect(message.length).toBeLessThanOrEqual(160)
  const code = (await readFile(join(copy(), handlers), 'utf8')).split('\n')[Number(line) - 1]
  expect(code).toMatch(/return \{|createHandlers/)
  expect(block).toMatch(/^ {2}mocked +listPets1: no handler yet/m)
  expect(await status('/copy1/pets')).toBe(200)
  const unavailable = await loop().send('/copy1/pets', { headers: { Prefer: 'code=503' } })
  expect(unavailable.status).toBe(503)
  expect(unavailable.headers.get('Preference-Applied')).toBe('code=503')
  expect(await status('/copy1/pets?limit=0')).toBe(400)
  expect(
    await loop()
      .send('/pets')
      .then((response) => response.json()),
  ).toEqual([])
})

test('code that cannot be loaded is reported and not served', async () => {
  const block = await blockAfter(() => change(handlers, (text) => `${text}\nreturn return`), end)
  expect(block).toMatch(new RegExp(`^  code +${handlers}:\\d+:\\d+ `, 'm'))
  expect(block).toMatch(/^ {2}not served +.*SyntaxError/m)
  expect(await status('/pets')).toBe(200)
  await restore()
  expect(await status('/pets')).toBe(200)
})
