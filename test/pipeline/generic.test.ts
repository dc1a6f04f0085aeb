import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { project } from './support/workspace.ts'

test('the scripts name nothing of the description that they compile', async () => {
  const entries = await readdir(join(project, 'scripts'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const { paths, components } = JSON.parse(
    await readFile(join(project, 'generated/openapi.json'), 'utf8'),
  )
  const own = Object.keys(components.schemas).filter((name) => !['Id', 'Error'].includes(name))
  const names = [...Object.keys(operations), ...Object.keys(paths), ...own, 'animal']
  for (const file of files) {
    const text = await readFile(join(file.parentPath, file.name), 'utf8')
    const found = names.filter((name) => text.toLowerCase().includes(name.toLowerCase()))
    expect(found, file.name).toEqual([])
  }
})
