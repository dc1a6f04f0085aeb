import { afterAll, expect, test } from 'vitest'
import {
  clientParts,
  createConsumer,
  packClient,
} from '../../../helpers/client-package/consumer.ts'
import { findCompiler, findNode } from '../../../helpers/client-package/versions.ts'
import { createProjectCopy } from '../../../helpers/project-copy.ts'
import { printed, runMock, runOnNode } from './support/programs.ts'
import { checkPackageTypes } from './support/types.ts'

// Other versions are installed first, and old compilers are slow.
const timeout = 600_000

const tarball = await packClient(await createProjectCopy(clientParts, afterAll))
const folder = await createConsumer(tarball)
const folderWithMsw2 = await createConsumer(tarball, '2')

test.each([20, 22, 24])('the package works on Node %i, with MSW 2', { timeout }, async (major) => {
  const node = await findNode(major)
  expect(await runOnNode(node, folderWithMsw2)).toBe(printed)
  expect(await runMock(node, folderWithMsw2)).toBe('200\n')
})

test.each([
  ['5.4', 'everyVersion'],
  ['5.9', 'withTools'],
  ['6.0', 'withTools'],
] as const)(
  'the types of the package compile with TypeScript %s',
  { timeout },
  async (version, which) => {
    const compiler = await findCompiler(version)
    await checkPackageTypes(folder, compiler, which)
    await checkPackageTypes(folderWithMsw2, compiler, 'mocksInCommonJs')
  },
)
