import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'
import { tryInCopy } from '../../helpers/project-copy.ts'
import { follow } from '../releases/guide.ts'
import { createClone, tryDescription } from './own-project.ts'

const museum = join(project, 'test/platform/init/museum.yaml')
const minimal = { info: { title: 'A', version: '1.0.0' }, paths: {} }
const get = (content: object, ...parameters: object[]) => ({
  get: { parameters, responses: { 200: { description: 'A.', content } } },
})
const json = { 'application/json': { schema: { $ref: '#/b' } } }
const inPath = { name: 'b+', in: 'path', required: true, schema: { type: 'string' } }
/** Descriptions that `init` rejects. */
const descriptions = {
  'swagger.json': { swagger: '2.0' },
  'broken.json': { openapi: '3.1.0', paths: { '/a': get(json) } },
  'unmatched.json': { openapi: '3.1.0', paths: { '/{a}/{b+}': get({}, inPath) } },
}

test('docs/your-own-api.md leads to a first operation that stores', {
  timeout: 300_000,
}, async () => {
  const page = readFileSync(join(project, 'docs/your-own-api.md'), 'utf8')
  await follow(await createClone(), page)
})

test(
  'init of a public description: checks and tests pass, and it starts',
  { timeout: 300_000 },
  () => tryDescription(museum, 'test/city-guide'),
)

test('init changes nothing when it cannot succeed', { timeout: 300_000 }, async () => {
  const copy = await createClone()
  for (const [name, description] of Object.entries(descriptions)) {
    await writeFile(join(copy, name), JSON.stringify({ ...minimal, ...description }))
  }
  const before = await tryInCopy(copy, 'find . -type f -newer package.json | sort')
  for (const [line, message] of [
    ['--name guide', 'usage: npm run init -- --spec FILE --name NAME'],
    [`--spec '${museum}' --name 'City Guide'`, /^--name is a word or several with dashes/],
    [`--spec '${museum}' --name store`, /^the platform has a folder store/],
    [`--spec '${museum}' --name sqlite`, /^the platform has a folder sqlite/],
    ['--spec https://a.test/a.yaml --name guide', /^--spec is a file; download https:/],
    [
      '--spec swagger.json --name guide',
      /^swagger\.json:1:\d+ openapi-version It is OpenAPI 2\.0; .* with swagger2openapi$/m,
    ],
    ['--spec broken.json --name guide', /^broken\.json#\/paths\/~1a\/get\/.* Can't resolve #\/b$/m],
    [
      '--spec unmatched.json --name guide',
      /^unmatched\.json#\S+ path-parameters-defined .*{a}(?:.*\n)+.*path-parameters-defined .*b\+/m,
    ],
    ['--spec none.yaml --name guide', /^there is no file none\.yaml/],
    [
      '--spec package.json --name guide',
      /^package\.json:1:1 openapi-version It is no OpenAPI description/,
    ],
  ] as const) {
    await expectRejected(copy, line, message)
  }
  expect(await tryInCopy(copy, 'find . -type f -newer package.json | sort')).toEqual(before)
  // What is not committed would be lost.
  await tryInCopy(copy, 'git init --quiet && git add README.md')
  await expectRejected(
    copy,
    `--spec '${museum}' --name guide`,
    /commit or stash .*\nA {2}README\.md$/m,
  )
})

async function expectRejected(copy: string, line: string, message: string | RegExp) {
  const { status, output } = await tryInCopy(copy, `node scripts/init.ts ${line}`)
  expect(status, output).not.toBe(0)
  expect(output).toMatch(message)
}
