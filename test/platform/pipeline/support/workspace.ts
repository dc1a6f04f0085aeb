import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { project } from '../../../helpers/program.ts'
import { append, editText, set } from '../../../helpers/spec-edit.ts'
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
  const status = { $ref: '#/components/schemas/Status' }
  const fields = 'components schemas ToolFields properties'
  return editText(
    await readFile(fixtureSpec, 'utf8'),
    set('info version', '1.0.0'),
    set('paths /tools/{toolId}/manual get x-sunset', '2030-12-05'),
    set('components schemas Status', {
      description: 'Whether a tool can be lent.',
      type: 'string',
      enum: ['available', 'pending', 'sold'],
      examples: ['available'],
    }),
    set(`${fields} status`, status),
    set(`${fields} name maxLength`, 1000),
    set(`${fields} name pattern`, '^[^\\n]*$'),
    set('components parameters Status', {
      name: 'status',
      in: 'query',
      description: 'Returns only tools with this status.',
      schema: status,
      example: 'available',
    }),
    append('paths /tools get parameters', { $ref: '#/components/parameters/Status' }),
  )
}
