import { access, appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeCopy } from '../../platform/drift/support/project-copy.ts'
import { build, createBuildCopy } from './support/installed-package.ts'

async function createCopy(): Promise<string> {
  const copy = await createBuildCopy()
  onTestFinished(() => removeCopy(copy))
  return copy
}

async function readDist(copy: string): Promise<Record<string, string>> {
  const folder = join(copy, 'client/dist')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const texts = paths.map(async (path) => [path.slice(folder.length), await readFile(path, 'utf8')])
  return Object.fromEntries(await Promise.all(texts))
}

test('builds are reproducible, leave nothing of earlier ones, and keep them on failure', async () => {
  const [copy, other] = [await createCopy(), await createCopy()]
  const [output] = await Promise.all([build(copy), build(other)])
  expect(output).toMatch(/^built client\/dist: \d+ files.*\d+ bytes for createAnimalStore/)
  const dist = await readDist(copy)
  expect(await readDist(other)).toEqual(dist)

  await writeFile(join(copy, 'client/dist/left-over.js'), '')
  await build(copy)
  expect(await readDist(copy)).toEqual(dist)
  const folders = (await readdir(join(copy, 'client'))).filter((name) => name.startsWith('dist'))
  expect(folders).toEqual(['dist'])

  await appendFile(join(copy, 'client/index.ts'), "export const wrong: number = 'text'\n")
  await expect(build(copy)).rejects.toThrow(/client\/index\.ts\(\d+,14\): error TS2322/)
  expect(await readDist(copy)).toEqual(dist)
})

test('a build rejects an undeclared dependency and arguments', async () => {
  const copy = await createCopy()
  const stray = "import { parse } from 'yaml'\nexport const parsed: unknown = parse('1')\n"
  await appendFile(join(copy, 'client/index.ts'), stray)
  await expect(build(copy)).rejects.toThrow(/imports yaml, which is no dependency/)
  await expect(build(copy, '--watch')).rejects.toThrow('usage: npm run build')
  await expect(access(join(copy, 'client/dist'))).rejects.toThrow('ENOENT')
})
