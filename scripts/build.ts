import { performance } from 'node:perf_hooks'
import { BuildError } from './build/build-error.ts'
import { buildPackage, writePackage } from './build/package.ts'
import { measureShipped } from './build/size.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { projectPath, shortPath } from './pipeline/project.ts'

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('usage: npm run build, without arguments')
  try {
    const [files, shipped] = await Promise.all([buildPackage(), measureShipped('*')])
    const folder = projectPath('client/dist')
    await writePackage(folder, files)
    const seconds = (performance.now() / 1000).toFixed(1)
    const size = `${files.size} files; ${shipped} bytes in an application, minified and gzipped`
    console.log(`built ${shortPath(folder)}: ${size} (${seconds} s)`)
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
})
