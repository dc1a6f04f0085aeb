import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { project } from './workspace.ts'

const status = { $ref: '#/components/schemas/Status' }

/**
 * The description that the tables of edits begin from: the fixture API as 1.0.0, with an enum that
 * requests, responses and a parameter share.
 */
export async function readBase(): Promise<string> {
  const file = join(project, 'test/fixture-api/openapi.yaml')
  const base = parseDocument(await readFile(file, 'utf8'))
  base.setIn(['info', 'version'], '1.0.0')
  base.setIn(['paths', '/tools/{toolId}/manual', 'get', 'x-sunset'], '2030-12-05')
  base.setIn(['components', 'schemas', 'Status'], {
    description: 'Whether a tool can be lent.',
    type: 'string',
    enum: ['available', 'pending', 'sold'],
    examples: ['available'],
  })
  const properties = ['components', 'schemas', 'ToolFields', 'properties']
  base.setIn([...properties, 'status'], status)
  base.setIn([...properties, 'name', 'maxLength'], 1000)
  base.setIn([...properties, 'name', 'pattern'], '^[^\\n]*$')
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
