import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workflowsStep } from '../../../scripts/checks/workflows-step.ts'
import { createFolder, project } from './support/workspace.ts'

const workflows = 'spec/workflows.arazzo.yaml'
const description = 'spec/openapi.yaml'

/** Changes a text of a file of a copy, everywhere, and gives the faults of the workflows there. */
async function faultsAfter(file: string, find: string | RegExp, replacement: string) {
  const copy = await createFolder()
  await cp(join(project, 'spec'), join(copy, 'spec'), { recursive: true })
  const before = await readFile(join(copy, file), 'utf8')
  const after = before.replaceAll(find, () => replacement)
  expect(after).not.toBe(before)
  await writeFile(join(copy, file), after)
  const faults = await workflowsStep(join(copy, workflows)).run()
  return faults.map((fault) => fault.replace(/^\S+\/(?=workflows)/, ''))
}

test('the workflows name nothing that the description does not have', async () => {
  expect(await workflowsStep(join(project, workflows)).run()).toEqual([])
})

test.for([
  [
    'an operation',
    description,
    /operationId: getPet$/gm,
    'operationId: showPet',
    /:\d+:\d+ add-an-animal \/ fetch: there is no operation getPet$/,
  ],
  [
    'a query parameter',
    description,
    'name: cursor',
    'name: after',
    /:\d+:\d+ walk-pages \/ next-page: listPets has no query parameter cursor$/,
  ],
  [
    'a header parameter',
    description,
    'name: Idempotency-Key',
    'name: Once',
    /:\d+:\d+ retry-a-create \/ create: createPet has no header parameter Idempotency-Key$/,
  ],
  [
    'a status',
    description,
    /^ +"422": .*\n/gm,
    '',
    /:\d+:\d+ retry-a-create \/ another-animal: createPet does not answer 422$/,
  ],
  [
    'a header of an answer',
    description,
    /^ +(?:X-RateLimit-Remaining|Idempotent-Replayed): \{ \$ref.*\n/gm,
    '',
    /:\d+:\d+ hit-the-limit \/ last-request: no answer of listPets has the header X-RateLimit-Remaining$/,
  ],
] as const)(
  '%s that the description no longer has is told',
  async ([, file, find, replacement, line]) => {
    expect(await faultsAfter(file, find, replacement)).toContainEqual(expect.stringMatching(line))
  },
)

test('a name is told at its line', async () => {
  const text = await readFile(join(project, workflows), 'utf8')
  const line = text.split('\n').findIndex((each) => each.includes('name: cursor')) + 1
  expect(await faultsAfter(workflows, 'name: cursor, in: query', 'name: after, in: query')).toEqual(
    [
      `workflows.arazzo.yaml:${line}:13 walk-pages / next-page: listPets has no query parameter after`,
    ],
  )
})

test('an input that the workflow does not declare is told', async () => {
  expect(await faultsAfter(workflows, 'value: $inputs.cursor', 'value: $inputs.after')).toEqual([
    expect.stringMatching(/:\d+:\d+ walk-pages \/ next-page: its workflow has no input after$/),
  ])
})

test('an operation may be named by its source or by its path', async () => {
  const source = '$sourceDescriptions.store.'
  expect(await faultsAfter(workflows, 'operationId: ', `operationId: ${source}`)).toEqual([])
  const path = `operationPath: '{${source}url}#/paths/~1pets/get'`
  expect(await faultsAfter(workflows, 'operationId: listPets', path)).toEqual([])
  const wrong = await faultsAfter(workflows, 'operationId: getPet', path.replace('pets', 'dogs'))
  expect(wrong).toContainEqual(expect.stringContaining('there is no operation at {$sourceDesc'))
})

test('what the standard does not allow is told by the linter', async () => {
  expect(await faultsAfter(workflows, 'stepId: list-with-its-status', 'stepId: list')).toEqual([
    expect.stringMatching(/^workflows\.arazzo\.yaml:\d+:\d+ stepId-unique /),
  ])
})
