import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { project, runProgram } from '../../helpers/program.ts'

/** Valid descriptions by what they have that the fixture API and the workshop do not have. */
const descriptions: Readonly<Record<string, string>> = {
  'a description with unusual names, references and examples': readFileSync(
    new URL('support/unusual.yaml', import.meta.url),
    'utf8',
  ),
  'a description with components alone': `
openapi: 3.1.0
info: { title: A, version: '1' }
components: { schemas: { A: {} } }
`,
  'a description with webhooks alone': `
openapi: 3.1.0
info: { title: A, version: '1' }
webhooks:
  moved:
    post:
      requestBody: { content: { application/json: { schema: {} } } }
      responses: { 200: { description: Done. } }
`,
  'a discriminator that maps names': `
openapi: 3.0.3
info: { title: A, version: '1' }
paths: {}
components:
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { cat: Cat, dog: Dog } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string } } }
`,
  'a method and a media type of OpenAPI 3.2': `
openapi: 3.2.0
info: { title: A, version: '1' }
paths:
  /a:
    query: { operationId: search, responses: {} }
    additionalOperations: { COPY: { operationId: copy, responses: {} } }
    get:
      responses: { 200: { description: Done., content: { application/jsonl: { itemSchema: {} } } } }
`,
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'valid-'))
  return () => rm(folder, { recursive: true })
})

test.for(Object.entries(descriptions))('%s compiles', async ([name, text]) => {
  const spec = join(folder, `${name}.yaml`)
  await writeFile(spec, text)
  const { artifacts, warnings } = await compile(spec, 'minimal')
  await writeFolder(join(folder, 'compiled', name), artifacts)
  const skipped = warnings.filter((line) => line.endsWith('is not compiled'))
  expect(skipped).toHaveLength(/method.* of OpenAPI 3\.2/.test(name) ? 2 : 0)
})

test('what they and the workshop compile into type-checks, and has the types of the description', async () => {
  const workshop = join(project, 'test/fixture-api/files/workshop.yaml')
  const out = join(folder, 'compiled/workshop')
  await writeFolder(out, (await compile(workshop, 'minimal')).artifacts)
  await writeFile(join(out, 'use.ts'), typesInUse)
  expect(await typeCheck()).toBe('')
})

/** Type-checks what all descriptions were compiled into; returns the compiler's output. */
async function typeCheck(): Promise<string> {
  const compiled = join(folder, 'compiled')
  await writeFile(join(compiled, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { types: [], skipLibCheck: false }
  const settings = { extends: join(project, 'tsconfig.json'), compilerOptions, include: ['**/*'] }
  await writeFile(join(compiled, 'tsconfig.json'), JSON.stringify(settings))
  const args = ['-p', compiled, '--checkers', '1']
  const { output, complaint } = await runProgram('node_modules/typescript7/bin/tsc', args)
  expect(complaint).toBe('')
  return output
}

const typesInUse = `
import type { components, operations, webhooks } from './openapi.d.ts'
import { operations as table } from './operations.ts'

type Tool = components['schemas']['tool']
export const saw: Tool = { kind: 'saw', name: 'Ryoba', note: null, blade: [24, 0.5, 'mm'] }
export const drill: Tool = { kind: 'drill', name: 'Bit', power: 3, parts: [{ name: 'chuck' }] }

// @ts-expect-error a saw has no power
export const mixed: Tool = { kind: 'saw', name: 'Ryoba', power: 3 }
// @ts-expect-error a drill needs its power
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
