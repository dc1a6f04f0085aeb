import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { addCommonParts } from '../../../../scripts/lint/common-parts.ts'
import { openDocuments } from '../../../../server/description/documents.ts'
import { callOnce } from '../../../helpers/call-once.ts'
import { project } from '../../../helpers/program.ts'
import { append, editText, set } from '../../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** The fixture API. */
export const fixtureSpec = join(project, 'test/fixture-api/openapi.yaml')

const platformSpec = join(project, 'spec/platform.yaml')
/** How the fixture API refers to the platform's file. */
const relativePlatformSpec = '../../spec/platform.yaml'

/** Returns the fixture API in a form that refers to the platform's file from any folder. */
export async function readFixture(): Promise<string> {
  const text = await readFile(fixtureSpec, 'utf8')
  return text.replaceAll(relativePlatformSpec, platformSpec)
}

/** Returns the fixture API in one file that declares what the platform would add, but headers of deprecation. */
async function readWholeFixture(): Promise<string> {
  const text = await readFile(fixtureSpec, 'utf8')
  const own = parse(text.replaceAll(relativePlatformSpec, ''))
  const platform = parse(await readFile(platformSpec, 'utf8'))
  // No operation of it requires scopes, all are served, and its errors are Error objects.
  delete platform.components.responses.Forbidden
  delete platform.components.responses.NotImplemented
  delete platform.components.schemas.InsufficientScopeError
  delete platform.components.schemas.NotImplementedError
  delete platform.components.schemas.PlatformProblem
  const { deprecationHeaders, ...common } = platform['x-common']
  const sections = ['securitySchemes', 'parameters', 'headers', 'responses', 'schemas']
  const components = sections.map((section) => {
    return [section, { ...platform.components[section], ...own.components[section] }]
  })
  const undeclared = 'x-undeclared-operations'
  const whole = {
    ...own,
    'x-common': common,
    [undeclared]: { ...platform[undeclared], ...own[undeclared] },
    'x-framing-response': platform['x-framing-response'],
    components: Object.fromEntries(components),
  }
  const documents = openDocuments(fixtureSpec, new Map([[fixtureSpec, whole]]))
  addCommonParts(whole, fixtureSpec, (node) => documents.tryTarget(node))
  const manual = whole.paths['/tools/{toolId}/manual'].get
  Object.assign(manual.responses[200].headers, deprecationHeaders)
  const layout = { lineWidth: 0, aliasDuplicateObjects: false }
  return stringify({ ...whole, 'x-common': { deprecationHeaders } }, layout)
}

/** Writes a description into a temporary folder. */
export async function writeSpec(text: string): Promise<string> {
  const spec = join(createTemporaryFolder(), 'openapi.yaml')
  await writeFile(spec, text)
  return spec
}

/** Returns every file of a folder with its text, to see whether anything in it changed. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))
}

/**
 * Reads the description that the tables of edits begin from: the fixture API as 1.0.0, with an enum
 * that requests, responses and a parameter share.
 */
export const readBase = callOnce(async (): Promise<string> => {
  const status = { $ref: '#/components/schemas/Status' }
  const fields = 'components schemas ToolFields properties'
  return editText(
    await readWholeFixture(),
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
})
