import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkPackage, Package } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Returns what publint and attw find in a package that is ready in a folder, a line for each. */
export async function lintPackage(folder: string): Promise<string[]> {
  const found = await Promise.all([runPublint(folder), runAttw(folder)])
  return found.flat()
}

async function runPublint(folder: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

async function runAttw(folder: string): Promise<string[]> {
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = await Promise.all(
    (await readdir(folder)).map(async (file) => {
      const content = await readFile(join(folder, file), 'utf8')
      return [`/node_modules/${name}/${file}`, content] as const
    }),
  )
  const analysis = await checkPackage(new Package(Object.fromEntries(files), name, version))
  if (!('problems' in analysis)) return ['attw: the package has no types']
  // The package has ES modules only, which CommonJS loads with import().
  const problems = analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')
  return problems.map((problem) => `attw: ${JSON.stringify(problem)}`)
}
