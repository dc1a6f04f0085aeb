import { join } from 'node:path'
import { runPlainCommand } from './pipeline/failure.ts'
import { projectOutput, shortPath } from './pipeline/project.ts'
import { buildReference, referenceFolder } from './pipeline/reference.ts'

await runPlainCommand('npm run reference', async () => {
  await buildReference(projectOutput)
  console.log(`built ${shortPath(join(projectOutput, referenceFolder))}`)
})
