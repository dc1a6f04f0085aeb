import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { workflowsStep } from '../../../scripts/checks/workflows-step.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { type Edit, remove, set, together } from './support/spec-edit.ts'
import { readBase } from './support/workspace.ts'

const workflows = `arazzo: 1.0.1
info: { title: Workflows, version: 1.0.0, summary: Lending. }
sourceDescriptions:
  - { name: library, url: openapi.yaml, type: openapi }
workflows:
  - workflowId: lend
    summary: Find a tool, add one and get it.
    inputs:
      type: object
      properties:
        apiKey: { type: string, format: password }
        cursor: { type: string }
    parameters:
      - { name: Authorization, in: header, value: "Bearer {$inputs.apiKey}" }
    steps:
      - stepId: page
        operationId: listTools
        parameters:
          - { name: cursor, in: query, value: $inputs.cursor }
        successCriteria:
          - condition: $statusCode == 200
          - { context: $response.header.X-Total, condition: "^[0-9]+$", type: regex }
      - stepId: create
        operationId: createTool
        parameters:
          - { name: Idempotency-Key, in: header, value: once }
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

test('operations, parameters, statuses and headers that the description no longer has are reported at their lines', async () => {
  const edit = together(
    set('paths /tools/{toolId} get operationId', 'fetchTool'),
    set('components parameters Cursor name', 'after'),
    set('components parameters IdempotencyKey name', 'Once'),
    remove('paths /tools post responses 422'),
    remove('paths /tools get responses 200 headers X-Total'),
  )
  const expected = [
    '19:13 lend / page: listTools has no query parameter cursor',
    '16:17 lend / page: no response of listTools has the header X-Total',
    '26:13 lend / create: createTool has no header parameter Idempotency-Key',
    '23:17 lend / create: createTool has no response 422',
    '32:17 lend / fetch: there is no operation getTool',
  ]
  expect(await errorsOf(workflows)).toEqual([])
  expect(await errorsOf(workflows, edit)).toEqual(
    expected.map((error) => `workflows.arazzo.yaml:${error}`),
  )
})

test('an input that the workflow does not declare is reported', async () => {
  expect(await errorsOf(changed('value: $inputs.cursor', 'value: $inputs.after'))).toEqual([
    expect.stringMatching(/:\d+:\d+ lend \/ page: its workflow has no input after$/),
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
