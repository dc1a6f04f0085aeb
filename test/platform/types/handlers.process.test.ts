import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'
import { createProjectCopy, tryInCopy } from '../../helpers/project-copy.ts'

const parts = ['package.json', 'tsconfig.json', 'generated', 'server', 'test']

test('the types of handlers allow what the description declares, and name each mistake at its line', async () => {
  const copy = await createProjectCopy(parts)
  const folder = join(copy, 'types')
  await cp(join(import.meta.dirname, 'handlers'), folder, { recursive: true })
  await cp(join(project, 'test/helpers/equal.ts'), join(folder, 'equal.ts'))
  await writeFile(join(copy, 'types.json'), '{"extends":"./tsconfig.json","include":["types"]}')

  const compiled = await tryInCopy(copy, 'node node_modules/typescript7/bin/tsc -p types.json')
  expect(compiled).toEqual({ status: 0, output: '' })
})
