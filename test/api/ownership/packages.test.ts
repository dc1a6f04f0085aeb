import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listApiPackages } from '../../../scripts/platform/packages.ts'
import { project } from '../../helpers/program.ts'

test('docs/api/README.md has the reason for each package that only this API imports', async () => {
  const page = readFileSync(join(project, 'docs/api/README.md'), 'utf8')
  const section = page.split('## Packages')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| ([^|]+) \| [^|]{4,} \|$/gm)].map(([, name]) => name)
  expect(rows).toEqual(await listApiPackages())
})
