import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  createProjectCopy,
  createSharedCopy,
  editSpec,
  generateIn,
  removeCopy,
  runServiceIn,
  typeErrorsIn,
} from '../../helpers/project-copy.ts'
import { together } from '../../helpers/spec-edit.ts'
import { codeEdits } from './code-edits.ts'

const copies = await Array.fromAsync(codeEdits, async (edits) => {
  const folder = await createSharedCopy()
  afterAll(() => removeCopy(folder))
  await editSpec(folder, together(...Object.values(edits).map(([edit]) => edit)))
  expect(await generateIn(folder)).toEqual([])
  return { folder, edits, errors: await typeErrorsIn(folder) }
})
const rows = copies.flatMap(({ edits, errors }) =>
  Object.entries(edits).map(([what, [, file, line]]) => ({ what, file, line, errors })),
)

test.for(rows)('$what: the compiler reports the line to fix in $file', ({ file, line, errors }) => {
  expect(errors).toContainEqual({ file, code: expect.stringMatching(line) })
})

test('after no edit does the compiler report anything generated, or the client', () => {
  const files = copies.flatMap(({ errors }) => errors.map(({ file }) => file))
  expect(files.filter((file) => !/^(?:server\/|test\/types\/)/.test(file))).toEqual([])
})

test('an operation without a handler: the service does not start and says why in one line', async () => {
  const { status, output, errorOutput } = await runServiceIn(copies[0]?.folder ?? '').ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(errorOutput).toMatch(
    /^Operation listOwnerPets has no handler\. Write one, or put `sampled` in its place\.\n$/,
  )
})

test('with a description that was changed by hand, or without its digest, the service does not start', async () => {
  const copy = await createProjectCopy()
  const file = join(copy, 'generated/openapi.json')
  await appendFile(file, '\n')
  expect(await runServiceIn(copy).ended).toMatchObject({
    ...{ status: 1, output: '' },
    errorOutput: expect.stringMatching(
      /^\S+openapi\.json is not what was generated with the rest\. .*Run: npm run generate\n$/,
    ),
  })
  await rm(`${file}.sha256`)
  expect(await runServiceIn(copy).ended).toMatchObject({
    ...{ status: 1, output: '' },
    errorOutput: expect.stringMatching(
      /^There is no \S+openapi\.json\.sha256\. .*Run: npm run generate\n$/,
    ),
  })
})
