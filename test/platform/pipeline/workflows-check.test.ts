import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { workflowsStep } from '../../../scripts/checks/workflows-step.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { type Edit, set } from './support/spec-edit.ts'
import { readBase } from './support/workspace.ts'

const workflows = `arazzo: 1.0.1
info: { title: Workflows, version: 1.0.0, summary: Lending. }
sourceDescriptions:
  - { name: library, url: openapi.yaml, type: openapi }
workflows:
  - workflowId: lend
    summary: Find a tool, add one and get it.
    steps:
      - stepId: page
        operationId: listTools
        successCriteria:
          - condition: $statusCode == 200
      - stepId: create
        operationId: createTool
        requestBody:
          contentType: application/json
          payload: { kind: saw, name: Ryoba }
        successCriteria:
          - condition: $statusCode == 422
      - stepId: fetch
        operationId: getTool
        parameters:
          - { name: toolId, in: path, value: 1 }
        successCriteria:
          - condition: $statusCode == 200
`

/** Returns the errors of workflows of the fixture API after an edit of it. */
async function errorsOf(text: string, edit: Edit = () => undefined) {
  const folder = createTemporaryFolder()
  const description = parseDocument(await readBase())
  edit(description)
  await writeFile(join(folder, 'openapi.yaml'), description.toString())
  await writeFile(join(folder, 'workflows.arazzo.yaml'), text)
  const errors = await workflowsStep(join(folder, 'workflows.arazzo.yaml')).run()
  return errors.map((error) => error.replace(/^\S+\/(?=workflows)/, ''))
}

function changed(find: string, replacement: string): string {
  expect(workflows).toContain(find)
  return workflows.replaceAll(find, () => replacement)
}

test('an operation that the description no longer has is reported at its line', async () => {
  const edit = set('paths /tools/{toolId} get operationId', 'fetchTool')
  expect(await errorsOf(workflows)).toEqual([])
  expect(await errorsOf(workflows, edit)).toEqual([
    'workflows.arazzo.yaml:20:17 lend / fetch: there is no operation getTool',
  ])
})

test('an operation may be named by its source or by its path', async () => {
  const path = "operationPath: '{$sourceDescriptions.library.url}#/paths/~1tools/get'"
  const named = changed(
    'operationId: createTool',
    'operationId: $sourceDescriptions.library.createTool',
  )
  expect(await errorsOf(named.replace('operationId: listTools', path))).toEqual([])
  const wrong = await errorsOf(changed('operationId: listTools', path.replace('tools', 'dogs')))
  expect(wrong).toContainEqual(expect.stringContaining('there is no operation {$sourceDesc'))
})

test('what Arazzo does not allow is reported by the linter', async () => {
  expect(await errorsOf(changed('stepId: fetch', 'stepId: page'))).toEqual([
    expect.stringMatching(/^workflows\.arazzo\.yaml:\d+:\d+ stepId-unique /),
  ])
})
