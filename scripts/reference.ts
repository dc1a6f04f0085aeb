import { join } from 'node:path'
import { runPlainCommand } from './pipeline/failure.ts'
import { projectOutput, shortPath } from './pipeline/project.ts'
import { buildReferencePage, referencePage } from './pipeline/reference-page.ts'

await runPlainCommand('npm run reference', async () => {
  await buildReferencePage(projectOutput)
  console.log(`built ${shortPath(join(projectOutput, referencePage))}`)
})
