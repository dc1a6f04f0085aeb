import { afterAll, expect, test } from 'vitest'
import { clientParts, createConsumer, packClient } from '../../helpers/client-package/consumer.ts'
import { findCompiler, findNode } from '../../helpers/client-package/versions.ts'
import { project } from '../../helpers/program.ts'
import { copyParts } from '../../helpers/project-copy.ts'
import { runSnippets } from './support/readme.ts'
import { checkReadmeTypes } from './support/types.ts'

// Other versions are installed first, and old compilers are slow.
const timeout = 600_000

const tarball = await packClient(await copyParts(project, clientParts, afterAll))
const folder = await createConsumer(tarball)
const folderWithMsw2 = await createConsumer(tarball, '2')

test.each([20, 22, 24])(
  'the snippets of the README work on Node %i, with MSW 2',
  { timeout },
  async (major) => {
    expect(await runSnippets(await findNode(major), folderWithMsw2)).toContain(`v${major}.`)
  },
)

test.each(['5.9', '6.0'])(
  'the snippets of the README compile with TypeScript %s',
  { timeout },
  async (version) => checkReadmeTypes(folder, await findCompiler(version)),
)
