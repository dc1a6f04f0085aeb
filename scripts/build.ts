import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { BuildError } from './build/build-error.ts'
import { buildPackage, writePackage } from './build/package.ts'
import { measureShipped } from './build/size.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { projectPath, shortPath } from './pipeline/project.ts'

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('usage: npm run build, without arguments')
  try {
    const files = await buildPackage()
    const folder = projectPath('client/dist')
    await writePackage(folder, files)
    const growth = `an application grows by ${await measureExports()}, minified and gzipped`
    const seconds = (performance.now() / 1000).toFixed(1)
    console.log(`built ${shortPath(folder)}: ${files.size} files; ${growth} (${seconds} s)`)
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
})

/** What an application grows by for each thing that it may import, the largest first. */
async function measureExports(): Promise<string> {
  const exports: object = await import(pathToFileURL(projectPath('client/index.ts')).href)
  const measured = Object.keys(exports).map(async (name) => {
    return { name, bytes: await measureShipped(name) }
  })
  const sizes = (await Promise.all(measured)).sort((one, other) => other.bytes - one.bytes)
  return sizes.map(({ name, bytes }) => `${bytes} bytes for ${name}`).join(', ')
}
