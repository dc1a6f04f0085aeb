import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseDocument, stringify } from 'yaml'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { project } from '../../helpers/program.ts'
import { atValue, createLocator, type Edit, remove, rename, set } from '../../helpers/spec-edit.ts'
import { readShortForm } from './support/short-form.ts'
import { fixtureSpec, readFolder, writeSpec } from './support/workspace.ts'

const hours = 'paths /opening-hours get responses'
const reference = (name: string) => ({ $ref: `#/components/responses/${name}` })
const frozen = () => readFolder(join(project, 'test/fixture-api/generated'))

async function edited(edit: Edit): Promise<string> {
  const description = parseDocument(await readShortForm())
  edit(description)
  return description.toString({ lineWidth: 0 })
}

test('what x-common declares compiles into the same files as when each operation declares it', async () => {
  const short = await readShortForm()
  expect(parse(short).paths['/opening-hours'].get.responses).toEqual({
    200: { description: 'The opening hours.', content: expect.anything() },
  })
  const { artifacts } = await compile(await writeSpec(short), 'strict')
  expect(Object.fromEntries(artifacts)).toEqual(await frozen())
})

test('it is added to operations in other files', async () => {
  const { paths, ...root } = parse(await readShortForm())
  const hoursFile = stringify(paths['/opening-hours']).replaceAll('#/', 'openapi.yaml#/')
  paths['/opening-hours'] = { $ref: 'hours.yaml' }
  const spec = await writeSpec(stringify({ ...root, paths }))
  await writeFile(join(dirname(spec), 'hours.yaml'), hoursFile)
  const { artifacts } = await compile(spec, 'strict')
  const served = JSON.parse(artifacts.get('openapi.json') ?? '')
  expect(served).toEqual(JSON.parse((await frozen())['openapi.json'] ?? ''))
})

test('what an operation or a response declares itself is kept', async () => {
  const own = { description: 'A.', required: true, schema: { type: 'integer' }, example: 7 }
  const text = await edited((description) => {
    set(`${hours} 200 headers`, { 'X-RateLimit-Limit': own })(description)
    set(`${hours} 429`, reference('Unavailable'))(description)
  })
  const { artifacts } = await compile(await writeSpec(text), 'minimal')
  const { responses } = JSON.parse(artifacts.get('openapi.json') ?? '').paths['/opening-hours'].get
  expect(responses[200].headers['X-RateLimit-Limit']).toEqual(own)
  expect(Object.keys(responses[200].headers)).toHaveLength(6)
  expect(responses[429]).toEqual(reference('Unavailable'))
})

test.for([
  [
    'a component that does not exist',
    set('x-common responses 401', reference('Unauthorised')),
    'x-common responses 401',
    "no-unresolved-refs Can't resolve $ref #/components/responses/Unauthorised. Did you mean Unauthorized?",
  ],
  [
    'a misspelled key',
    rename('x-common requestBodyResponses', 'requestBodyRespones'),
    'x-common requestBodyRespones',
    'struct Property `requestBodyRespones` is not expected here. Did you mean requestBodyResponses?',
  ],
] as const)(
  '%s in x-common is reported there, and not at the operations',
  async ([, edit, path, message]) => {
    const text = await edited(edit)
    const { line } = createLocator(text)(atValue(path))
    const rejected = compile(await writeSpec(text), 'strict')
    await expect(rejected).rejects.toThrow(message)
    await expect(rejected).rejects.toThrow(
      new RegExp(`^\\S+openapi\\.yaml:(?:${line}|${line - 1}):[^\\n]+$`),
    )
  },
)

test('the diff compares what operations have, wherever it is declared', async () => {
  const short = await writeSpec(await readShortForm())
  expect((await compareDescriptions(fixtureSpec, short)).changes).toEqual([])
  const fewer = await writeSpec(await edited(remove('x-common responses 503')))
  const { bump, changes } = await compareDescriptions(short, fewer)
  const removed = { place: 'DELETE /tools/{toolId}', what: 'The response 503 was removed.' }
  const { line } = createLocator(await readShortForm())(
    atValue('paths /tools/{toolId} delete responses'),
  )
  expect(bump).toBe('major')
  expect(changes).toContainEqual(expect.objectContaining({ ...removed, line }))
})
