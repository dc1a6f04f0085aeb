import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listApiPackages } from '../../../scripts/platform/packages.ts'
import { project } from '../../helpers/program.ts'
import { commit, createClone } from '../../helpers/project-clone.ts'
import { runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { initProject } from './own-project.ts'

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

const printPlatformFiles =
  "import('./scripts/platform/ownership.ts').then(async ({ listPlatformFiles }) => console.log((await listPlatformFiles()).join('\\n')))"

test('init of a public description: no file of the platform changes, and it starts', {
  timeout: 600_000,
}, async () => {
  const copy = await initProject(museum)
  const kept = await readFile(join(copy, 'spec/openapi.yaml'))
  expect(kept.equals(await readFile(museum))).toBe(true)
  expect(await runInCopy(copy, 'cat generated/openapi.json README.md client/*.md')).not.toMatch(
    /\b(?:books?|tools?)\b/i,
  )

  const samples = await readFile(join(copy, 'generated/reference/code-samples.json'), 'utf8')
  const imported = samples.matchAll(/import \{ (\w+) \} from '([^']+)'/g)
  expect(new Set(Array.from(imported, ([, factory, name]) => `${factory} ${name}`))).toEqual(
    new Set(['createCityGuide city-guide-client']),
  )

  // What a team adds beside the folders of its API is no file of the platform.
  await runInCopy(copy, `echo all: > Makefile && ${commit}`)
  const platformFiles = await runInCopy(copy, `node -e "${printPlatformFiles}"`)
  expect(platformFiles.split('\n')).toContain('server/app.ts')
  expect(platformFiles.split('\n')).not.toContain('Makefile')

  const again = await tryInCopy(copy, `npm run -s init -- --spec '${museum}' --name museum`)
  expect(again).toEqual({
    status: 2,
    output: expect.stringMatching(/^this is the project city-guide already: .*\n$/),
  })
})

test('init changes keys of package.json: names, version, key prefix, scripts and packages of the API, and where the platform comes from', {
  timeout: 300_000,
}, async () => {
  const copy = await createClone()
  await runInCopy(copy, 'git remote add origin https://me:secret@example.org/platform.git')
  const head = (await runInCopy(copy, 'git rev-parse HEAD')).trim()
  const readManifest = async (): Promise<UncheckedJson> =>
    JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'))
  const { scripts: before, repository: _, ...manifest } = await readManifest()
  const { dependencies, devDependencies } = manifest
  const removedPackages = await listApiPackages()
  const isKept = ([name]: [string, unknown]) => !removedPackages.includes(name)

  const workshop = 'test/fixture-api/files/workshop.yaml'
  await runInCopy(copy, `npm run -s init -- --spec ${workshop} --name city-guide`)
  const { scripts, ...others } = await readManifest()
  expect(others).toEqual({
    ...manifest,
    name: 'city-guide',
    version: '2.3.0',
    description: expect.any(String),
    license: 'SEE LICENSE IN LICENSE',
    config: { apiKeyPrefix: 'city' },
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(isKept)),
    devDependencies: Object.fromEntries(Object.entries(devDependencies).filter(isKept)),
    platform: { repository: 'https://example.org/platform.git', commit: head },
  })
  const { test: ownTests, ...kept } = scripts
  expect(ownTests).toBe('exec node scripts/test.ts')
  expect(before).toMatchObject(kept)
  expect(Object.values(scripts).join('\n')).not.toMatch(/server\/api|bench/)

  // It fails if the lock file is not that of package.json.
  await runInCopy(copy, 'npm ci --dry-run --offline --ignore-scripts --no-audit')

  // A description of several files is kept as it was given, but for the name of the first one.
  const source = join(project, 'test/fixture-api/files')
  for (const [path, given] of [
    ['openapi.yaml', 'workshop.yaml'],
    ['paths/tool.yaml', 'paths/tool.yaml'],
  ] as const) {
    const kept = await readFile(join(copy, 'spec', path), 'utf8')
    const text = await readFile(join(source, given), 'utf8')
    expect(kept, path).toBe(text.replaceAll('../workshop.yaml', '../openapi.yaml'))
  }
})

test('init names the description that it has copied, what is served of it, and how API keys begin', {
  timeout: 300_000,
}, async () => {
  const copy = await createClone()
  const get = { responses: { 200: { description: 'A.', content: { 'application/json': {} } } } }
  const image = { responses: { 200: { description: 'B.', content: { 'image/png': {} } } } }
  const paths = { '/a': { get, trace: get }, '/b': { get: image } }
  const description = { openapi: '3.1.0', ...minimal, paths }
  await writeFile(join(copy, 'fleet.json'), JSON.stringify(description))
  const output = await runInCopy(
    copy,
    'npm run -s init -- --spec fleet.json --name fleet-control-kit',
  )
  expect(output).toMatch(/^fleet\.json: copied to spec, .* delete or move the original$/m)
  expect(output).toMatch(/^2 of 3 operations are served; .* 501:\n {2}TRACE \/a: proxies /m)
  expect(output).toMatch(/^API keys begin with fleet_, /m)

  // Without a summary, a row of the client's README says what the name says.
  const readme = await readFile(join(copy, 'client/README.md'), 'utf8')
  expect(readme).toMatch(/^\| `getA` \| `GET \/a` \| get a \|$/m)
  // The image is other content than JSON.
  expect(readme).toMatch(/^Files, forms, .* `docs\/client-content\.md` /m)
})

test('init changes nothing when it cannot succeed', { timeout: 300_000 }, async () => {
  const copy = await createClone()
  for (const [name, description] of Object.entries(descriptions)) {
    await writeFile(join(copy, name), JSON.stringify({ ...minimal, ...description }))
  }
  for (const [line, message] of [
    ['--name guide', 'usage: npm run init -- --spec FILE --name NAME'],
    [`--spec '${museum}' --name 'City Guide'`, /^--name is a word or several with dashes/],
    ['--spec https://a.test/a.yaml --name guide', /^--spec is a file; download https:/],
    [
      '--spec swagger.json --name guide',
      /^swagger\.json:1:\d+ openapi-version It is OpenAPI 2\.0; .* with swagger2openapi$/m,
    ],
    [
      '--spec broken.json --name guide',
      /^broken\.json:1:\d+ no-unresolved-refs Can't resolve \$ref #\/b/m,
    ],
    ['--spec unmatched.json --name guide', /^unmatched\.json:1:\d+ path-parameters-defined .*{a}/m],
    ['--spec none.yaml --name guide', /^there is no file none\.yaml/],
    [
      '--spec package.json --name guide',
      /^package\.json:1:1 openapi-version It is no OpenAPI description/,
    ],
  ] as const) {
    await expectRejected(copy, line, message)
  }

  // Changes of files that are replaced would be lost.
  await runInCopy(copy, "echo '# Mine' >> README.md && echo > server/api/mine.ts")
  const changes = /commit or move .*\n ?M README\.md\n\?\? server\/api\/mine\.ts$/m
  await expectRejected(copy, `--spec '${museum}' --name guide`, changes)

  // It fails after the files of the API were replaced.
  await runInCopy(copy, 'echo "var unused" >> scripts/init/templates/server/api/schema.ts.template')
  await runInCopy(copy, commit)
  await expectRejected(copy, `--spec '${museum}' --name guide`, /the linter rejects the new code:/)
})

async function expectRejected(copy: string, line: string, message: string | RegExp) {
  const state = 'git status --porcelain && git diff'
  const before = await runInCopy(copy, state)
  const { status, output } = await tryInCopy(copy, `node scripts/init.ts ${line}`)
  expect(status, output).not.toBe(0)
  expect(output).toMatch(message)
  expect(await runInCopy(copy, state)).toBe(before)
}
