import { beforeAll, expect, test } from 'vitest'
import { together } from '../pipeline/support/spec-edit.ts'
import { codeEdits } from '../spec-edits/code-edits.ts'
import {
  createSharedCopy,
  editSpec,
  generateIn,
  removeCopy,
  runServiceIn,
  typeErrorsIn,
} from './support/project-copy.ts'

const rows = codeEdits.flatMap((edits, index) =>
  Object.entries(edits).map(([what, [edit, file, line]]) => ({ what, edit, file, line, index })),
)
const copies: { folder: string; errors: Awaited<ReturnType<typeof typeErrorsIn>> }[] = []

beforeAll(async () => {
  for (const index of codeEdits.keys()) {
    const folder = await createSharedCopy()
    const edits = rows.filter((row) => row.index === index).map(({ edit }) => edit)
    await editSpec(folder, together(...edits))
    expect(await generateIn(folder)).toEqual([])
    copies.push({ folder, errors: await typeErrorsIn(folder) })
  }
  return () => Promise.all(copies.map(({ folder }) => removeCopy(folder)))
}, 300_000)

test.for(rows)('$what: the compiler reports the line to fix in $file', ({ file, line, index }) => {
  expect(copies[index]?.errors).toContainEqual(
    expect.objectContaining({ file, code: expect.stringMatching(line) }),
  )
})

test('after no edit does the compiler report anything generated, or the client', () => {
  const files = copies.flatMap(({ errors }) => errors.map(({ file }) => file))
  expect(files.filter((file) => !/^(?:server\/|test\/types\/)/.test(file))).toEqual([])
})

test('values, limits, required parameters and credentials need no other code', () => {
  // The third description has these edits, and another status.
  const ofStatus = ({ code, file }: { code: string; file: string }) =>
    /\b201\b/.test(code) || file === 'test/types/known-responses.test-d.ts'
  const errors = copies[2]?.errors.filter((error) => !ofStatus(error))
  expect(errors).toEqual([])
})

test('an operation without a handler: the service does not start and says why in one line', async () => {
  const { status, output, complaint } = await runServiceIn(copies[0]?.folder ?? '').ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(complaint).toMatch(
    /^Operation listOwnerPets has no handler\. Write one; .*npm run dev.*\n$/,
  )
})
