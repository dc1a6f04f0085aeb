import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProjectCopy, runServiceIn } from '../../helpers/project-copy.ts'

test('with a description that was changed by hand, or without its digest, the service does not start', async () => {
  const copy = await createProjectCopy()
  const file = join(copy, 'generated/openapi.json')
  await appendFile(file, '\n')
  expect(await runServiceIn(copy).ended).toMatchObject({
    ...{ status: 1, output: '' },
    complaint: expect.stringMatching(
      /^\S+openapi\.json is not what was generated with the rest\. .*Run: npm run generate\n$/,
    ),
  })
  await rm(`${file}.sha256`)
  expect(await runServiceIn(copy).ended).toMatchObject({
    ...{ status: 1, output: '' },
    complaint: expect.stringMatching(
      /^There is no \S+openapi\.json\.sha256\. .*Run: npm run generate\n$/,
    ),
  })
})
