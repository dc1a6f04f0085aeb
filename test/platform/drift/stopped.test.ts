import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { set } from '../pipeline/support/spec-edit.ts'
import { deletePet } from './support/changes.ts'
import { generateIn, runIn } from './support/compiling.ts'
import { createProjectCopy, editSpec, replaceIn } from './support/project-copy.ts'
import { runServiceIn } from './support/service.ts'

test('a limit changed by hand in generated/openapi.json: the service does not start', async () => {
  const copy = await createProjectCopy()
  await replaceIn(copy, 'generated/openapi.json', '"maxLength": 1000', '"maxLength": 2000')
  const { status, output, complaint } = await runServiceIn(copy).ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(complaint).toMatch(
    /^\S+openapi\.json is not what was generated with the rest\. Run: npm run generate\n$/,
  )
})

test('a digest that is missing: the service does not start', async () => {
  const copy = await createProjectCopy()
  await rm(join(copy, 'generated/openapi.json.sha256'))
  const { status, complaint } = await runServiceIn(copy).ended
  expect(status).toBe(1)
  expect(complaint).toMatch(/^There is no \S+openapi\.json\.sha256\. Run: npm run generate\n$/)
})

const digest = "export const digest = '"
const checks = [
  ['missing', (copy: string) => rm(join(copy, 'generated/validators.js')), /cannot be loaded: /],
  [
    'of another description',
    (copy: string) => replaceIn(copy, 'generated/validators.js', digest, `${digest}x`),
    /comes from another description than the rest\./,
  ],
] as const

test.for(checks)(
  'compiled checks that are %s: the service does not start',
  async ([, change, complaint]) => {
    const copy = await createProjectCopy()
    await change(copy)
    const ended = await runServiceIn(copy).ended
    expect(ended.status).toBe(1)
    expect(ended.complaint).toMatch(/^generated\/validators\.js .* Run: npm run generate\n$/)
    expect(ended.complaint).toMatch(complaint)
  },
)

test('a limit changed by hand in generated/openapi.json: npm run check names the file and what mends it', async () => {
  const copy = await createProjectCopy()
  await replaceIn(copy, 'generated/openapi.json', '"maxLength": 1000', '"maxLength": 2000')
  const { status, output } = await runIn(copy, 'scripts/check.ts')
  expect(status).toBe(1)
  expect(output).toMatch(/^ {2}generated\/openapi\.json is stale; run: npm run generate$/m)
})

test('an operation added without a handler: the service does not start and says why in one line', async () => {
  const copy = await createProjectCopy()
  await editSpec(copy, set('paths /pets/{petId} delete', deletePet))
  expect(await generateIn(copy)).toEqual([])
  const { status, output, complaint } = await runServiceIn(copy).ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(complaint).toMatch(/^Operation deletePet has no handler\. Write one; .*npm run dev.*\n$/)
})
