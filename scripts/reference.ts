import { join } from 'node:path'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { projectOutput, shortPath } from './pipeline/project.ts'
import { buildReferencePage, referencePage } from './pipeline/reference-page.ts'

const usage = 'usage: npm run reference, without arguments'

await runCommand(usage, async () => {
  if (process.argv.length > 2) throw new UsageError(usage)
  await buildReferencePage(projectOutput)
  console.log(`built ${shortPath(join(projectOutput, referencePage))}`)
})
