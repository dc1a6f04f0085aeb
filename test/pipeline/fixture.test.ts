import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Artifacts, compile } from '../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../scripts/pipeline/output-folder.ts'
import { run } from './support/program.ts'
import { readReferences } from './support/references.ts'
import { typeCheck } from './support/type-check.ts'
import { createFolder, project, readFolder } from './support/workspace.ts'

const spec = join(import.meta.dirname, 'fixture/workshop.yaml')
let artifacts: Artifacts
let warnings: readonly string[]

beforeAll(async () => {
  ;({ artifacts, warnings } = await compile(spec, 'recommended'))
})

test('what the linter only warns of is told and stops nothing', () => {
  expect(warnings).toContainEqual(
    expect.stringMatching(/fixture\/paths\/tool\.yaml:4:3 operation-operationId Operation object/),
  )
})

test('the bundle is one file in which every reference leads somewhere', () => {
  const bundle: unknown = JSON.parse(artifacts.get('openapi.json') ?? '')
  const references = readReferences(bundle)
  expect(references.length).toBeGreaterThan(30)
  expect(references.filter(({ target }) => target === undefined)).toEqual([])
  expect(bundle).toMatchObject({
    'x-fallback': { refused: { description: 'The request is refused.' } },
    components: {
      schemas: { tool: { discriminator: { mapping: { saw: '#/components/schemas/Saw' } } } },
    },
  })
})

test('another directory, locale and time zone change no byte', async () => {
  const out = await createFolder()
  const { status } = await run(
    join(project, 'scripts/generate.ts'),
    ['--spec', spec, '--out', out, '--lint', 'recommended'],
    { cwd: out, env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kolkata' } },
  )
  expect(status).toBe(0)
  expect(await readFolder(out)).toEqual(Object.fromEntries(artifacts))
})

test('the types fit under our settings and say what the description says', async () => {
  const folder = await createFolder()
  await writeFolder(folder, artifacts)
  await writeFile(join(folder, 'use.ts'), typesInUse)
  expect(await typeCheck(folder)).toBe('')
})

const typesInUse = `
import type { components, operations, webhooks } from './openapi.d.ts'
import { operations as table } from './operations.ts'

type Tool = components['schemas']['tool']
export const saw: Tool = { kind: 'saw', name: 'Ryoba', note: null, blade: [24, 0.5, 'mm'] }
export const drill: Tool = { kind: 'drill', name: 'Bit', power: 3, parts: [{ name: 'chuck' }] }

// @ts-expect-error a saw has no power
export const mixed: Tool = { kind: 'saw', name: 'Ryoba', power: 3 }
// @ts-expect-error the kind tells a drill, which needs its power
export const weak: Tool = { kind: 'drill', name: 'Bit' }

export function powerOf(tool: Tool): number | undefined {
  return tool.kind === 'drill' ? tool.power : undefined
}

type Query = NonNullable<operations['searchTools']['parameters']['query']>
export const query: Query = { tag: ['a'], sizes: [1, null], filter: { maker: null }, anything: {} }
// @ts-expect-error an id is a number
export const wrong: Query = { ids: ['1'] }

export const broken: webhooks['toolBroken']['post']['requestBody']['content']['application/json'] = saw
export const mediaType: keyof operations['addTool']['requestBody']['content'] = table.addTool.requestBody.mediaTypes[1]
export const sunset: '2031-01-31' = table.replaceTool.deprecation.sunset
export const style: 'pipeDelimited' = table.searchTools.parameters.query.sizes.style
`
