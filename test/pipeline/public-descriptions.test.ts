import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leftOut } from '../../scripts/checks/left-out-reporter.ts'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../scripts/pipeline/output-folder.ts'
import { typeCheck } from './support/type-check.ts'
import { createFolder, project } from './support/workspace.ts'

// Descriptions that nobody here wrote. They are not ours to ship, so they lie beside the project.
const folder = join(project, '../shared/specs')
const specs = existsSync(folder)
  ? readdirSync(folder).filter((name) => /\.(yaml|json)$/.test(name))
  : []

describe('a description that nobody here wrote', () => {
  test.for(specs)('%s compiles, and its types fit under our settings', async (name) => {
    const out = await createFolder()
    const { artifacts } = await compile(join(folder, name), 'minimal')
    await writeFolder(out, artifacts)
    expect(await typeCheck(out)).toBe('')
    const { operations } = await import(join(out, 'operations.ts'))
    expect(Object.keys(operations).length).toBeGreaterThan(5)
  })

  test('is looked for beside the project', async ({ annotate }) => {
    if (specs.length === 0) await annotate('there are none in ../shared/specs', leftOut)
  })
})
