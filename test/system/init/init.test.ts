import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'
import { follow, runInShell } from '../guide/support/follow.ts'
import { readGuide } from '../guide/support/guide.ts'
import { createClone, tryDescription } from './own-project.ts'

const museum = join(project, 'test/platform/init/museum.yaml')

test('docs/your-own-api.md leads to a first operation that stores', {
  timeout: 300_000,
}, async () => {
  const page = readFileSync(join(project, 'docs/your-own-api.md'), 'utf8')
  await follow(await createClone(), readGuide(page))
})

test(
  'init of a public description: checks and tests pass, and it starts',
  { timeout: 300_000 },
  () => tryDescription(museum, 'test/city-guide'),
)

test('init changes nothing when it cannot succeed', { timeout: 300_000 }, async () => {
  const copy = await createClone()
  const before = await runInShell(copy, 'find . -type f -newer package.json | sort')
  for (const [line, message] of [
    ['--name guide', 'usage: npm run init -- --spec FILE --name NAME'],
    [`--spec '${museum}' --name 'City Guide'`, /^--name is a word or several with dashes/],
    [`--spec '${museum}' --name store`, /^the platform has a folder store/],
    ['--spec none.yaml --name guide', /^there is no file none\.yaml/],
    ['--spec package.json --name guide', /^package\.json is not an OpenAPI description/],
  ] as const) {
    const { status, output } = await runInShell(copy, `npm run -s init -- ${line}`)
    expect(status, output).not.toBe(0)
    expect(output).toMatch(message)
  }
  expect(await runInShell(copy, 'find . -type f -newer package.json | sort')).toEqual(before)
})
