import { resolve } from 'node:path'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { projectOutput, shortPath } from './pipeline/project.ts'
import { buildReferencePage, referencePage } from './pipeline/reference-page.ts'

await runCommand(async () => {
  const [folder = projectOutput, ...others] = process.argv.slice(2)
  if (others.length > 0) throw new UsageError('usage: npm run reference -- [FOLDER]')
  await buildReferencePage(resolve(folder))
  console.log(`built ${shortPath(resolve(folder, referencePage))}`)
})
