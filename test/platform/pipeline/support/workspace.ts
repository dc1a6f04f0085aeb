import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { project } from '../../../helpers/program.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** The fixture API. */
export const fixtureSpec = join(project, 'test/fixture-api/openapi.yaml')

/** Writes a description into a temporary folder. */
export async function writeSpec(text: string): Promise<string> {
  const spec = join(createTemporaryFolder(), 'openapi.yaml')
  await writeFile(spec, text)
  return spec
}

/** Returns every file of a folder with its text, to see whether anything in it changed. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))
}

/**
 * Reads the description that the tables of edits begin from: the fixture API as 1.0.0, with an enum
 * that requests, responses and a parameter share.
 */
export async function readBase(): Promise<string> {
  const base = parseDocument(await readFile(fixtureSpec, 'utf8'))
  const status = { $ref: '#/components/schemas/Status' }
  const fields = ['components', 'schemas', 'ToolFields', 'properties']
  base.setIn(['info', 'version'], '1.0.0')
  base.setIn(['paths', '/tools/{toolId}/manual', 'get', 'x-sunset'], '2030-12-05')
  base.setIn(['components', 'schemas', 'Status'], {
    description: 'Whether a tool can be lent.',
    type: 'string',
    enum: ['available', 'pending', 'sold'],
    examples: ['available'],
  })
  base.setIn([...fields, 'status'], status)
  base.setIn([...fields, 'name', 'maxLength'], 1000)
  base.setIn([...fields, 'name', 'pattern'], '^[^\\n]*$')
  base.setIn(['components', 'parameters', 'Status'], {
    name: 'status',
    in: 'query',
    description: 'Returns only tools with this status.',
    schema: status,
    example: 'available',
  })
  base.addIn(['paths', '/tools', 'get', 'parameters'], { $ref: '#/components/parameters/Status' })
  return base.toString({ lineWidth: 0 })
}
